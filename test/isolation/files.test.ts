import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keeps } from '../../src/core/isolation/promises.ts'
import { accountsInside } from '../../src/engine/isolation/box/enclose.ts'
import { runProcess } from '../support/run-process.ts'
import { aScene, prepareBoxes, removeBoxes, runScript, treeOf } from './boxed.ts'

const boxes = await prepareBoxes()
afterAll(removeBoxes)

for (const [person, levels] of boxes)
  for (const level of levels) {
    const title = `${level} as ${person.name}`
    const run = (script: string, scene = aScene(person), more = {}) =>
      runScript(script, { person, level, scene, ...more })

    /** The attempts that succeed, of shell commands by name. */
    const successes = (attempts: Record<string, string>, scene = aScene(person)): string[] => {
      const lines = Object.entries(attempts).map(([name, command]) => `(${command}) >&2 && echo '${name}'`)
      return run(lines.join('\n'), scene).out
    }

    test(`${title}: hidden folders are empty, and nothing can be written there`, () => {
      const scene = aScene(person)
      const { secrets, repository } = scene
      const before = treeOf(repository)
      const seen = run(`ls -A ${secrets}; ls -A ${repository}; ls -A ${repository}/.git`, scene).out
      // Only the way to what is visible in it.
      expect(seen).toEqual(keeps(level, 'hides') ? ['.git', 'objects'] : ['key', '.git', 'config', 'objects'])
      const attempts = {
        write: `echo x > ${secrets}/key`,
        make: `touch ${repository}/new`,
        deep: `touch ${repository}/.git/index`,
        remove: `rm -rf ${repository}`,
        move: `mv ${secrets} ${scene.home}/other`,
        unmount: `unshare -Urm umount ${secrets}`,
      }
      expect(successes(attempts, scene)).toEqual([])
      expect(readFileSync(join(secrets, 'key'), 'utf8')).toBe('secret\n')
      expect(treeOf(repository)).toEqual(before)
    })

    test(`${title}: a folder above something protected cannot be renamed or removed`, () => {
      const scene = aScene(person)
      const above = dirname(scene.repository)
      const deep = join(scene.home, '.config/tool')
      mkdirSync(deep, { recursive: true })
      if (person.uid !== 0) runProcess(['chown', '-R', `${person.uid}`, scene.home], { env: process.env })
      const plan = { ...scene.plan, hidden: [...scene.plan.hidden, deep] }
      const attempts = {
        'what is above the repository': `mv ${above} ${above}-2`,
        'what is above a setting': `mv ${scene.home}/.config ${scene.home}/other`,
        'after making it writable': `chmod 700 ${scene.home} && mv ${scene.home}/.config ${scene.home}/other`,
        exchanged: `mkdir ${scene.home}/new && mv -T ${scene.home}/new ${scene.home}/.config`,
      }
      expect(successes(attempts, { ...scene, plan })).toEqual([])
      expect(existsSync(deep)).toBe(true)
    })

    test(`${title}: what is read-only can be read and not be changed in any way`, () => {
      const scene = aScene(person)
      const one = join(scene.objects, 'one')
      expect(run(`cat ${one}`, scene).out).toEqual(['one'])
      const attempts = {
        write: `echo x > ${one}`,
        append: `echo x >> ${one}`,
        truncate: `truncate -s 0 ${one}`,
        remove: `rm -f ${one}`,
        'remove a folder': `rm -rf ${scene.objects}/deep`,
        rename: `mv ${one} ${scene.objects}/three`,
        'move out': `mv ${one} ${scene.worktree}/one`,
        replace: `echo x > ${scene.worktree}/new && mv -f ${scene.worktree}/new ${one}`,
        link: `ln ${one} ${scene.worktree}/linked && echo x > ${scene.worktree}/linked`,
        'link into it': `ln ${scene.worktree}/file ${scene.objects}/linked`,
        'make a link': `ln -s x ${scene.objects}/link`,
        'make a folder': `mkdir ${scene.objects}/new`,
        'rename it': `mv ${scene.objects} ${scene.objects}2`,
        remount: `mount -o remount,bind,rw ${scene.objects} && echo x > ${one}`,
        'remount in a namespace': `unshare -Urm sh -c 'mount -o remount,bind,rw ${scene.objects} && echo x > ${one}'`,
        'mount over it': `unshare -Urm sh -c 'umount ${scene.objects} && echo x > ${one}'`,
        'through /proc': `echo x > /proc/self/root${one}`,
        'through pid 1': `echo x > /proc/1/root${one}`,
      }
      expect(successes(attempts, scene)).toEqual([])
      const { mode, mtimeMs } = statSync(one)
      const changes = successes({ chmod: `chmod 777 ${one}`, touch: `touch -d 2001-01-01 ${one}` }, scene)
      expect(changes).toEqual(keeps(level, 'keepsModes') ? [] : ['chmod', 'touch'])
      if (keeps(level, 'keepsModes')) expect(statSync(one)).toMatchObject({ mode, mtimeMs })
      expect(readFileSync(one, 'utf8')).toBe('one\n')
      expect(treeOf(scene.objects)).toEqual(['deep', 'deep/two', 'one'])
    })

    test(`${title}: new files can be made beside something that is protected`, () => {
      const scene = aScene(person)
      const made = successes({ home: `echo x > ${scene.home}/.rc`, client: `echo x > ${scene.client}/new` }, scene)
      expect(made).toEqual(keeps(level, 'opensFolders') ? ['home', 'client'] : ['client'])
    })

    test(`${title}: what is writable is, and belongs to the person outside`, () => {
      const scene = aScene(person)
      const { end } = run('echo new > new && mkdir -p a/b && mv file a/b && rm -r a', scene)
      expect(end).toEqual({ kind: 'exited', code: 0 })
      expect(readFileSync(join(scene.worktree, 'new'), 'utf8')).toBe('new\n')
      expect(existsSync(join(scene.worktree, 'file'))).toBe(false)
      expect(statSync(join(scene.worktree, 'new')).uid).toBe(person.uid)
    })

    test(`${title}: a read-only home folder has writable folders where the plan says so`, () => {
      const scene = aScene(person)
      const plan = { ...scene.plan, home: 'read-only' as const, writable: [scene.worktree, scene.client] }
      const attempts = { rc: `echo x > ${scene.home}/.bashrc`, client: `echo x > ${scene.client}/state` }
      expect(successes(attempts, { ...scene, plan })).toEqual(['client'])
    })

    test(`${title}: a file that is shown over another cannot be replaced or removed`, () => {
      const scene = aScene(person)
      const attempts = {
        remove: 'rm -f .git',
        rename: 'mv .git other',
        replace: 'echo x > new && mv -f new .git',
        write: 'echo x > .git',
        unmount: 'unshare -Urm umount .git',
      }
      if (!keeps(level, 'showsOthers')) {
        expect(run('cat .git', scene).out).toEqual(['real'])
        return
      }
      expect(run('cat .git', scene).out).toEqual(['shown'])
      expect(successes(attempts, scene)).toEqual([])
      expect(readFileSync(join(scene.worktree, '.git'), 'utf8')).toBe('real\n')
      expect(readFileSync(scene.gitfile, 'utf8')).toBe('shown\n')
    })

    test(`${title}: temporary files are private`, () => {
      const scene = aScene(person)
      const name = `gza-${crypto.randomUUID()}`
      const { out } = run(`cat \${TMPDIR:-/tmp}/mine; echo x > \${TMPDIR:-/tmp}/${name}; ls /tmp`, scene)
      expect(out[0]).toBe('mine')
      if (keeps(level, 'privateTemporary')) expect(out.slice(1)).toEqual([name, 'mine'].sort())
      expect(readdirSync(scene.temporary)).toContain(name)
      expect(existsSync(`/tmp/${name}`)).toBe(false)
    })

    test(`${title}: the system, its disks and the settings of the kernel cannot be written`, () => {
      // Opening for appending asks for the right and changes nothing.
      const attempts = {
        system: ': >> /etc/passwd',
        kernel: ': >> /proc/sys/kernel/core_pattern',
        'kernel through a /proc of its own': "unshare -Urpf --mount-proc sh -c ': >> /proc/sys/kernel/core_pattern'",
        'kernel in /sys': ': >> /sys/kernel/mm/transparent_hugepage/enabled',
        disks: 'for disk in /dev/*; do [ -b $disk ] && (: >> $disk) && exit 0; done; exit 1',
      }
      expect(successes(attempts)).toEqual([])
      expect(run('echo x > /dev/null && head -c 3 /dev/zero | wc -c && : > /dev/shm/x && rm /dev/shm/x').out).toEqual([
        '3',
      ])
    })

    test(`${title}: git and npm work`, () => {
      const scene = aScene(person)
      const script = [
        'rm file && git -c init.defaultBranch=main init -q project && cd project',
        'git config user.name A && git config user.email a@example.com',
        'echo one > one && git add one && git commit -qm "First commit" && git stash list && git status --short',
        'npm init -y >/dev/null && npm pkg set scripts.hello="echo hello" && npm run -s hello && npm pack -s',
      ].join(' && ')
      const env = {
        npm_config_update_notifier: 'false',
        npm_config_offline: 'true',
        npm_config_cache: `${scene.worktree}/npm`,
      }
      const { end, out, err } = run(script, scene, { env })
      expect({ end, err }).toEqual({ end: { kind: 'exited', code: 0 }, err: [] })
      expect(out).toEqual(['hello', 'project-1.0.0.tgz'])
      expect(statSync(join(scene.worktree, 'project', '.git', 'HEAD')).uid).toBe(person.uid)
    })

    test(`${title}: the user has a name and a home folder`, () => {
      const scene = aScene(person)
      const accounts = ['passwd', 'group'].map((name) => {
        const from = join(scene.worktree, name)
        writeFileSync(from, accountsInside(readFileSync(`/etc/${name}`, 'utf8'), person.uid))
        return { from, to: `/etc/${name}`, access: 'read-only' as const }
      })
      const plan = { ...scene.plan, over: [...scene.plan.over, ...accounts] }
      const { out } = run('id -un; id -gn; node -p "os.userInfo().homedir"', scene, { plan })
      expect(out).toEqual(outside(person.become, ['id -un', 'id -gn', 'node -p "os.userInfo().homedir"']))
    })

    test(`${title}: a sandbox that an agent makes inside works in a box`, () => {
      const seen = successes({
        namespaces: 'unshare -Urm mount -t tmpfs tmpfs /var',
        bubblewrap: 'bwrap --unshare-user --unshare-net --ro-bind / / --dev /dev true',
      })
      expect(seen).toEqual(keeps(level, 'nests') ? ['namespaces', ...(Bun.which('bwrap') ? ['bubblewrap'] : [])] : [])
    })
  }

/** What these commands print without a box. */
function outside(become: readonly string[], commands: readonly string[]): string[] {
  return commands.map((command) => runProcess([...become, 'sh', '-c', command], { env: process.env }).stdout.trim())
}
