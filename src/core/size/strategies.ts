/** How a task can be split: by folders, by layers or by criteria. Apart from the splitter, because the command line names them. */
export const STRATEGIES = ['files', 'layers', 'criteria'] as const
export type Strategy = (typeof STRATEGIES)[number]
