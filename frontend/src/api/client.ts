/** One way to call the server: JSON in, JSON out, problems thrown as ApiProblem. */
import { ApiProblem, type Problem } from '@/lib/problems'

export async function problemOf(response: Response): Promise<ApiProblem> {
  let problem: Problem = { code: 'internal', message: `${response.status} ${response.statusText}`, advice: '' }
  try {
    const body: unknown = await response.json()
    if (body && typeof body === 'object' && 'error' in body) problem = body.error as Problem
  } catch (error) {
    // A proxy's error page is not JSON; the status says enough.
    if (!(error instanceof SyntaxError)) throw error
  }
  return new ApiProblem(problem, response.status)
}

type Query = Record<string, string | number | boolean | readonly string[] | undefined>

export function withQuery(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue
    for (const item of Array.isArray(value) ? value : [value]) params.append(name, String(item))
  }
  const text = params.toString()
  return text ? `${path}?${text}` : path
}

interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Query
  body?: unknown
  signal?: AbortSignal
}

export async function call<T>(path: string, { method = 'GET', query, body, signal }: CallOptions = {}): Promise<T> {
  const form = body instanceof FormData
  const response = await fetch(withQuery(path, query), {
    method,
    headers: body !== undefined && !form ? { 'Content-Type': 'application/json' } : {},
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  if (!response.ok) throw await problemOf(response)
  return (response.status === 204 ? undefined : await response.json()) as T
}
