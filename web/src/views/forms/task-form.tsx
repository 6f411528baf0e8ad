import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { FormChoices } from '../../api/types.ts'
import { TaskPicker } from './task-picker.tsx'
import type { TaskValues } from './task-values.ts'

interface Props {
  repository: string
  values: TaskValues
  change: (values: TaskValues) => void
  submit: () => void
  /** Of the task that is edited. */
  number?: number
  /** The buttons, and what was refused. */
  children: ComponentChildren
}

type TextName = Exclude<keyof TaskValues, 'after' | 'based_on'>

/** The fields of a task, for a new one and for one that is edited. */
export function TaskForm({ repository, values, change, submit, number, children }: Props) {
  const choices = useResource<FormChoices>(repository, 'choices').value.value
  const set = (name: TextName) => (event: { currentTarget: { value: string } }) =>
    change({ ...values, [name]: event.currentTarget.value })
  const field = (name: TextName) => ({ value: values[name], onInput: set(name) })
  const except = number === undefined ? {} : { except: number }
  return (
    <form
      class="task-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label class="wide">
        Title
        <input type="text" {...field('title')} />
      </label>
      <label class="wide">
        Text (markdown, optional)
        <textarea rows={6} {...field('text')} />
      </label>
      <Choice label="Type" options={choices?.types ?? [values.type]} {...field('type')} />
      <Choice label="Priority" options={choices?.priorities ?? [values.priority]} {...field('priority')} />
      <Suggested label="Group" options={choices?.groups ?? []} {...field('group')} />
      <Suggested label="Milestone" options={choices?.milestones.map(({ id }) => id) ?? []} {...field('milestone_id')} />
      <Suggested label="Agent" options={choices?.agents ?? []} {...field('assigned_agent')} />
      <label>
        Key
        <input type="text" placeholder="such as T2-a" {...field('key')} />
      </label>
      <TaskPicker
        {...{ repository, label: 'After these tasks', chosen: values.after, ...except }}
        choose={(after) => change({ ...values, after })}
      />
      <TaskPicker
        {...{ repository, label: 'Based on these tasks, with their results', chosen: values.based_on, ...except }}
        choose={(based_on) => change({ ...values, based_on })}
      />
      <label class="wide">
        Acceptance criteria (one on a line)
        <textarea rows={3} {...field('acceptance_criteria')} />
      </label>
      <label>
        Files to create (one on a line)
        <textarea rows={2} {...field('files_to_create')} />
      </label>
      <label>
        Files to change (one on a line)
        <textarea rows={2} {...field('files_to_modify')} />
      </label>
      <label>
        Test files (one on a line)
        <textarea rows={2} {...field('test_files')} />
      </label>
      <div class="wide">{children}</div>
    </form>
  )
}

interface FieldProps {
  label: string
  options: readonly string[]
  value: string
  onInput: (event: { currentTarget: { value: string } }) => void
}

function Choice({ label, options, value, onInput }: FieldProps) {
  const id = useId()
  return (
    <div>
      <label for={id}>{label}</label>
      <select id={id} value={value} onInput={onInput}>
        {options.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Any text, with the known ones to choose from. */
function Suggested({ label, options, value, onInput }: FieldProps) {
  const list = `known-${label.toLowerCase()}`
  return (
    <label>
      {label}
      <input type="text" list={list} value={value} onInput={onInput} />
      <datalist id={list}>
        {options.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  )
}
