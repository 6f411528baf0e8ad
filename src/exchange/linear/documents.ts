/** All requests to Linear. The tests check each one against Linear's published schema. */

export const TEAM = `query GzaTeam($id: String!) {
  team(id: $id) {
    id
    key
    name
    issueEstimationType
    states(first: 100) { nodes { id name type position } }
  }
}`

export const ISSUES = `query GzaIssues($ids: [ID!]!) {
  issues(first: 50, includeArchived: true, filter: { id: { in: $ids } }) {
    nodes {
      id
      identifier
      url
      archivedAt
      trashed
      team { id }
      state { id type }
      inverseRelations(first: 50) { nodes { type issue { id } } }
    }
  }
}`

export const PROJECTS = `query GzaProjects($ids: [ID!]!) {
  projects(first: 50, includeArchived: true, filter: { id: { in: $ids } }) {
    nodes { id name projectMilestones(first: 100) { nodes { id } } }
  }
}`

export const LABELS = `query GzaLabels($filter: IssueLabelFilter!) {
  issueLabels(first: 250, filter: $filter) { nodes { id name isGroup } }
}`

export const CREATE_LABEL = `mutation GzaLabelCreate($input: IssueLabelCreateInput!) {
  issueLabelCreate(input: $input) { success }
}`

export const CREATE_PROJECT = `mutation GzaProjectCreate($input: ProjectCreateInput!) {
  projectCreate(input: $input) { success }
}`

export const CREATE_MILESTONE = `mutation GzaMilestoneCreate($input: ProjectMilestoneCreateInput!) {
  projectMilestoneCreate(input: $input) { success }
}`

export const CREATE_ISSUE = `mutation GzaIssueCreate($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { id identifier url } }
}`

export const UPDATE_ISSUE = `mutation GzaIssueUpdate($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success }
}`

export const CREATE_RELATION = `mutation GzaRelationCreate($input: IssueRelationCreateInput!) {
  issueRelationCreate(input: $input) { success }
}`
