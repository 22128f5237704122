/** An error as the page shows it: its stable code, and the server's own words for codes the page does not know. */

export interface Problem {
  code: string
  message: string
  advice: string
}

/** Thrown by the API client. `status` is 0 when no answer came. */
export class ApiProblem extends Error {
  readonly problem: Problem
  readonly status: number

  constructor(problem: Problem, status: number) {
    super(problem.message)
    this.problem = problem
    this.status = status
  }
}

export function asProblem(error: unknown): Problem {
  if (error instanceof ApiProblem) return error.problem
  if (error instanceof TypeError) return { code: 'unreachable', message: '', advice: '' }
  return { code: 'internal', message: error instanceof Error ? error.message : '', advice: '' }
}

/** Whether trying the same again may help, without the reader changing anything. */
export function mayPass(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof ApiProblem && (error.status === 0 || error.status >= 500))
}
