import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import { aRepo } from '../../support/repo.ts'
import { aProject, type BoxedRun, BRANCH, bubblewrap, startedRun } from './boxed-run.ts'

const COMMIT = "echo more >> a.txt && git commit -qam 'change a'"

/** What an agent must not change: refs, configuration and hooks of the real repository. */
function guarded({ repo }: BoxedRun) {
  return {
    refs: repo.git(
      'for-each-ref',
      '--format=%(refname) %(objectname) %(symref)',
      'refs/heads',
      'refs/tags',
      'refs/tasks',
    ),
    config: readFileSync(join(repo.dir, '.git/config'), 'utf8'),
    shallow: existsSync(join(repo.dir, '.git/shallow')),
    alternates: existsSync(join(repo.dir, '.git/objects/info/alternates')),
    fsck: repo.run(['git', 'fsck', '--strict', '--no-dangling', '--no-progress']).code,
  }
}

/** Objects that git does not accept from others, made by hand. */
const BAD_OBJECTS = {
  'a tree with .git in it': `
    blob=$(echo '[core] fsmonitor = touch /tmp/x' | git hash-object -w --stdin)
    inner=$(printf '100644 blob %s\\tconfig\\n' $blob | git mktree)
    tree=$(printf '40000 .git\\0'"$(echo $inner | sed 's/../\\\\x&/g')" | perl -pe 's/\\\\x(..)/chr hex $1/ge' | git hash-object -w -t tree --literally --stdin)
    git update-ref refs/heads/${BRANCH} $(git commit-tree $tree -p HEAD -m bad)`,
  'a commit without an author': `
    printf 'tree %s\\nparent %s\\n\\nbad\\n' $(git rev-parse 'HEAD^{tree}') $(git rev-parse HEAD) > bad
    git update-ref refs/heads/${BRANCH} $(git hash-object -w -t commit --literally bad)`,
  'a submodule whose address is an option': `
    printf '[submodule "x"]\\n\\tpath = x\\n\\turl = --upload-pack=touch\\n' > .gitmodules
    git add .gitmodules && git commit -qm bad`,
  'an object with other content than its name says': `
    ${COMMIT}
    blob=$(git rev-parse HEAD:a.txt | sed 's,..,&/,')
    chmod u+w $GIT_DIR/objects/$blob && cp $GIT_DIR/objects/$(git rev-parse HEAD | sed 's,..,&/,') $GIT_DIR/objects/$blob`,
  'an object that is cut off': `
    ${COMMIT}
    blob=$(git rev-parse HEAD:a.txt | sed 's,..,&/,')
    chmod u+w $GIT_DIR/objects/$blob && echo x > $GIT_DIR/objects/$blob`,
  'a broken pack': `
    ${COMMIT} && git repack -qad && pack=$(ls $GIT_DIR/objects/pack/*.pack)
    chmod u+w $pack && yes broken | head -c $(($(stat -c %s $pack) - 40)) | dd of=$pack bs=1 seek=12 conv=notrunc 2>/dev/null`,
  'a commit whose tree is missing': `
    ${COMMIT} && rm -f $GIT_DIR/objects/$(git rev-parse 'HEAD^{tree}' | sed 's,..,&/,')`,
  'a branch that names no object': `mkdir -p $GIT_DIR/refs/heads/task && echo ${'1'.repeat(40)} > $GIT_DIR/refs/heads/${BRANCH}`,
}

/** A few objects that are files of their own are read by gza, all others are fetched. */
const FETCHED = 'touch $GIT_DIR/objects/pack/tmp_pack'

const CUT_OFF = `
  ${COMMIT} && git commit -q --allow-empty -m two && git rev-parse HEAD~1 > $GIT_DIR/shallow
  rm -f $GIT_DIR/objects/info/alternates && git fsck >/dev/null 2>&1 || true`

const REFUSED = Object.entries(BAD_OBJECTS).flatMap(([name, script]) => [
  { name, script },
  { name: `${name}, in a fetch,`, script: `${script}\n${FETCHED}` },
])

for (const { name, script } of [
  ...REFUSED,
  { name: 'a shallow file that cuts off the history of a fetch', script: `${CUT_OFF}\n${FETCHED}` },
]) {
  test(`${name} is refused, and the real repository is as before`, async () => {
    const run = await startedRun(aProject())
    const before = guarded(run)
    run.agent(script)
    const imported = await run.import()
    expect(imported.refused).toHaveLength(1)
    expect(imported.head).toBe(run.git.about.tip)
    expect(guarded(run)).toEqual(before)
    expect(before.fsck).toBe(0)
  })
}

test('a shallow file has no effect on objects that gza reads', async () => {
  const run = await startedRun(aProject())
  const { refs: _refs, ...before } = guarded(run)
  run.agent(CUT_OFF)
  expect(await run.import()).toMatchObject({ refused: [], kept: [], tampering: [] })
  const { refs: _moved, ...after } = guarded(run)
  expect(after).toEqual(before)
  expect(run.repo.git('log', '--format=%s', BRANCH)).toBe('two\nchange a\nsecond\nfirst')
})

const ODD_REFS: Record<string, (run: BoxedRun, secret: string) => void> = {
  'a branch that is a link to a file outside': ({ gitDir }, secret) => {
    mkdirSync(join(gitDir, 'refs/heads/task'), { recursive: true })
    symlinkSync(secret, join(gitDir, `refs/heads/${BRANCH}`))
  },
  'a folder of branches that is a link': ({ gitDir }, secret) => {
    rmSync(join(gitDir, 'refs/heads'), { recursive: true })
    symlinkSync(dirname(secret), join(gitDir, 'refs/heads'))
  },
  'packed refs that are a link': ({ gitDir }, secret) => {
    rmSync(join(gitDir, 'packed-refs'))
    symlinkSync(secret, join(gitDir, 'packed-refs'))
  },
  'a branch that is a pipe': (run) =>
    void run.agent('mkdir -p $GIT_DIR/refs/heads/x && mkfifo $GIT_DIR/refs/heads/x/pipe'),
  'a branch that is not text of git': (run) => void run.agent('echo "not a commit" > $GIT_DIR/refs/heads/odd'),
}

for (const [name, plant] of Object.entries(ODD_REFS)) {
  test(`${name} counts as tampering: nothing is read there, and nothing is imported`, async () => {
    const run = await startedRun(aProject())
    const other = run.repo.git('rev-parse', 'other')
    const secret = join(dirname(run.repo.dir), 'outside', 'secret')
    mkdirSync(dirname(secret))
    writeFileSync(secret, `${other} refs/heads/${BRANCH}\n`)
    const before = guarded(run)
    plant(run, secret)
    const imported = await run.import()
    expect(imported).toMatchObject({ head: run.git.about.tip, kept: [] })
    expect(imported.tampering).toHaveLength(1)
    expect(guarded(run)).toEqual(before)
  })
}

test('HEAD as a link to a file outside is not read', async () => {
  const run = await startedRun(aProject())
  rmSync(join(run.gitDir, 'HEAD'))
  symlinkSync(join(run.repo.dir, '.git/HEAD'), join(run.gitDir, 'HEAD'))
  expect(await run.import()).toMatchObject({ head: run.git.about.tip, fault: { kind: 'missing' } })
})

test('a branch that became a symbolic ref stays as before, as without a box', async () => {
  const run = await startedRun(aProject())
  run.agent(`git symbolic-ref refs/heads/${BRANCH} refs/heads/other && git commit -q --allow-empty -m x`)
  const before = guarded(run)
  const { tampering, kept } = await run.import()
  expect(tampering).toEqual([`refs/heads/${BRANCH} became a symbolic ref to refs/heads/other; it is as before`])
  expect(kept).toHaveLength(1)
  expect(guarded(run)).toEqual(before)
})

test('an LFS object that is a link to a file outside is not copied', async () => {
  const run = await startedRun(aProject())
  const secret = join(dirname(run.repo.dir), 'secret')
  writeFileSync(secret, 'secret')
  const oid = new Bun.CryptoHasher('sha256').update('secret').digest('hex')
  const place = join(run.gitDir, 'lfs/objects', oid.slice(0, 2), oid.slice(2, 4))
  mkdirSync(place, { recursive: true })
  symlinkSync(secret, join(place, oid))
  expect((await run.import()).refused).toEqual([`LFS object ${oid}: its content is not what its name says`])
  expect(existsSync(join(run.repo.dir, '.git/lfs'))).toBe(false)
})

test('settings, hooks and filters that the agent planted run nowhere during the import', async () => {
  const repo = aProject()
  repo.git('config', 'filter.own.clean', './clean.sh')
  repo.commit('with a filter', {
    '.gitattributes': '*.own filter=own\n',
    'clean.sh': '#!/bin/sh\ncat\n',
    'x.own': 'x\n',
  })
  repo.git('update-index', '--chmod=+x', 'clean.sh')
  repo.git('commit', '-q', '-m', 'executable')
  const run = await startedRun(repo)
  const mark = join(dirname(repo.dir), 'mark')
  const script = join(dirname(repo.dir), 'planted.sh')
  writeFileSync(script, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
  run.agent(
    `
    echo y >> x.own && git commit -qam 'change' && printf '#!/bin/sh\\ntouch ${mark}\\ncat\\n' > clean.sh
    git config uploadpack.packObjectsHook ${script} && git config core.fsmonitor ${script}
    git config core.alternateRefsCommand ${script} && git config core.sshCommand ${script}
    git config core.gitProxy ${script} && git config core.pager ${script} && git config credential.helper '!${script}'
    git config extensions.partialClone evil && git config remote.evil.promisor true
    git config remote.evil.url 'ext::${script}' && git config remote.evil.uploadpack ${script}
    git config protocol.ext.allow always && git config gc.recentObjectsHook ${script}
    for hook in reference-transaction pre-receive post-update post-index-change fsmonitor-watchman; do
      cp ${script} $GIT_DIR/hooks/$hook
    done
    git init -q nested && git -C nested config core.fsmonitor ${script} && rm -f ${mark}`
      .replaceAll('git -C nested', 'env -u GIT_DIR -u GIT_WORK_TREE git -C nested')
      .replace('git init -q nested', 'env -u GIT_DIR -u GIT_WORK_TREE git init -q nested'),
  )
  const made = readFileSync(join(run.gitDir, 'refs/heads', BRANCH), 'utf8').trim()
  rmSync(mark, { force: true })
  expect(await run.import()).toMatchObject({ head: made, refused: [], tampering: [] })
  expect(existsSync(mark)).toBe(false)
  expect(repo.run(['git', 'config', '--get-regexp', 'evil|hook|fsmonitor']).stdout).toBe('')
})

if (isHere(TOOLS.bubblewrap))
  test('objects of another repository cannot be brought in through planted alternates', async () => {
    const secret = aRepo()
    const commit = secret.commit('secret', { 'key.txt': 'secret\n' })
    const run = await startedRun(aProject())
    const before = guarded(run)
    run.agent(
      `echo ${secret.dir}/.git/objects >> $GIT_DIR/objects/info/alternates && git update-ref refs/heads/${BRANCH} ${commit}`,
    )
    const imported = await run.import(bubblewrap(run, [secret.dir]))
    expect(imported).toMatchObject({ head: run.git.about.tip, kept: [] })
    expect(imported.refused).toHaveLength(1)
    expect(guarded(run)).toEqual(before)
    expect(run.repo.run(['git', 'cat-file', '-e', commit]).code).not.toBe(0)
  })
