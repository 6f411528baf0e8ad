import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

test('simulate plays the open tasks through as the workers would choose them', () => {
  const repo = aRepo()
  repo.write('gza.yaml', 'task_size_limits:\n  max_time_minutes: 10\n')
  const lines = [
    { id: 't1', content: 'Model', files_to_create: ['a.ts'], group: 'shop' },
    { id: 't2', content: 'Use it', files_to_modify: ['a.ts'], after: 't1', group: 'shop' },
    { id: 't3', content: 'Format it', files_to_modify: ['./a.ts'] },
    { id: 't4', content: 'Manual', priority: 'low' },
    { id: 't5', content: 'Broken', status: 'failed' },
    { id: 't6', content: 'Behind it', after: 't5' },
  ]
  repo.run(['gza', 'import', '-'], { stdin: lines.map((line) => JSON.stringify(line)).join('\n') })
  expect(repo.gza('simulate', '--workers', '2')).toEqual({
    code: 0,
    stderr: '',
    stdout: ` start     end  worker                                                    task
    0s   5m00s       1  ████████████████································  #1 Model
    0s   5m00s       2  ████████████████································  #4 Manual
 5m00s  10m00s       1  ················████████████████················  #2 Use it
10m00s  15m00s       1  ································████████████████  #3 Format it

critical path, 10m00s: #1 → #2

workers  length    idle  busy  faster
      1  20m00s      0s  100%    1.0×
      2  15m00s  10m00s   67%    1.3×

durations: 4 estimated by size
2 tasks would not run:
  #5 FAILED  Broken
  #6 BLOCKED  Behind it
`,
  })
  const shop = JSON.parse(repo.gza('simulate', '--workers', '3', '--group', 'shop', '--json').stdout)
  expect(shop.schedule.map((run: { title: string }) => run.title)).toEqual(['Model', 'Use it'])
  expect(shop).toMatchObject({
    schedules: [
      { workers: 1, seconds: 600, idle_seconds: 0 },
      { workers: 2, idle_seconds: 600 },
      { workers: 3, idle_seconds: 1200 },
    ],
    critical_path: { seconds: 600 },
    durations: { recorded: 0, estimated: 2 },
    not_run: [],
  })
  expect(repo.gza('simulate', '--group', 'none').code).toBe(1)
})
