import { expect, test } from 'bun:test'
import { commandSockets, containerSockets } from './command-sockets.ts'

test('sockets that variables name are found, except those in /tmp', () => {
  const env = {
    HOME: '/home/me',
    TMUX: '/home/me/tmux/default,12,0',
    KITTY_LISTEN_ON: 'unix:/home/me/kitty',
    NVIM: '/tmp/nvim/0',
    DOCKER_HOST: 'unix:///home/me/docker.sock',
  }
  const found = commandSockets(env)
  expect(found).toContain('/home/me/tmux/default')
  expect(found).toContain('/home/me/kitty')
  expect(found).toContain('/home/me/.emacs.d/server')
  expect(found.filter((path) => path.startsWith('/tmp'))).toEqual([])
  expect(containerSockets(env)).toContain('/home/me/docker.sock')
})
