/** A box, or a point that an edge passes through. */
export interface LayoutNode {
  column: number
  /** The middle, in units of one box and its gap. */
  y: number
  height: number
  before: LayoutNode[]
  after: LayoutNode[]
}
