import { expect, test } from 'bun:test'
import { aConfiguredRepo } from '../config/configured-repo.ts'
import { runProcess } from '../support/run-process.ts'

const NAMESPACE = ['unshare', '-Urm', 'sh', '-c']
const HAS_NAMESPACES = runProcess([...NAMESPACE, 'true'], { env: process.env }).code === 0

/** What doctor finds about isolation, after a change of the machine in a namespace. */
function findingsAfter(change: string, own?: string): { code: number; found: string[] } {
  const repo = aConfiguredRepo(own === undefined ? {} : { own })
  const { code, stdout } = repo.run([...NAMESPACE, `${change}; exec gza doctor --json`])
  const all = JSON.parse(stdout) as { name: string; state: string; detail: string; next: string | null }[]
  const found = all.filter(({ name }) => name === 'isolation')
  return { code, found: found.map(({ state, detail, next }) => `${state} ${detail} -> ${next}`) }
}

const WITHOUT_BUBBLEWRAP = 'for path in $(command -v -p bwrap); do mount --bind /dev/null $path; done'
// Of this namespace and those inside of it.
const WITHOUT_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces'

if (!HAS_NAMESPACES) console.warn('NOT TESTED: doctor on machines with less, because this one has no user namespaces')
else {
  test('without bubblewrap, doctor finds the box of unshare', () => {
    expect(findingsAfter(WITHOUT_BUBBLEWRAP, 'isolation: auto\n').found).toEqual([
      'ok auto: a box made by unshare -> null',
      "ok these do not work inside: sudo and setuid programs, docker's socket, the ssh agent -> null",
    ])
  })

  test('what is allowed is not named as closed', () => {
    const own = 'isolation: { level: strict, allow: [docker, ~/data] }\n'
    expect(findingsAfter(WITHOUT_BUBBLEWRAP, own).found).toEqual([
      'ok strict: a box made by unshare -> null',
      'ok these do not work inside: sudo and setuid programs, the ssh agent; allowed: docker, ~/data -> null',
    ])
  })

  test('without user namespaces, doctor says what is missing and how to get it', () => {
    const { code, found } = findingsAfter(`${WITHOUT_BUBBLEWRAP}; ${WITHOUT_NAMESPACES}`, 'isolation: auto\n')
    expect(code).toBe(0)
    expect(found[0]).toMatch(
      /^warn auto: no box; Landlock refuses writes \(bubblewrap: bwrap is not installed; unshare: .*unshare failed/,
    )
    expect(found[0]).toContain('-> user.max_user_namespaces is 0: sysctl -w user.max_user_namespaces=15000 allows user')
    expect(found[0]).toContain('Install bubblewrap: ')
    expect(found[1]).toBe(
      "ok these do not work inside: sudo and setuid programs, a client's own sandbox (codex's), making new files " +
        'directly in your home folder; nothing is hidden, and sockets such as those of docker and the ssh agent stay open -> null',
    )
    expect(found[2]).toBe(
      'warn gza run is not held: Landlock cannot protect .git inside a folder in which an agent may make files. Its ' +
        'agents run under the guard alone -> gza work is held: its agents have worktrees of their own.',
    )
  })

  test('a box that is required and not there is a failure; one that is off is not', () => {
    const required = findingsAfter(WITHOUT_NAMESPACES, 'isolation: required\n')
    expect(required.code).toBe(1)
    expect(required.found[0]).toStartWith('fail required: no box')
    const builtIn = findingsAfter(WITHOUT_NAMESPACES)
    expect([builtIn.code, builtIn.found[0]]).toEqual([0, expect.stringMatching(/^warn auto: no box/)])
    const off = findingsAfter(WITHOUT_NAMESPACES, 'isolation: off\n')
    expect(off.code).toBe(0)
    expect(off.found[0]).toStartWith('ok off; this machine has no box')
  })

  test('in a chroot, doctor says that the kernel makes no user namespaces there', () => {
    const chroot = [
      'top=$(mktemp -d); for each in /*; do [ -d "$each" ] || continue; mkdir "$top$each"; mount --rbind "$each" "$top$each"; done',
      'cd "$PWD"; exec chroot "$top" sh -c "cd $PWD && gza doctor --json"; exit',
    ]
    expect(findingsAfter(chroot.join('\n'), 'isolation: auto\n').found[0]).toContain(
      '-> In a chroot the kernel makes no user namespaces: start gza outside of it.',
    )
  })
}
