/** The real server with an empty home, and the scripted model it asks, on free loopback ports. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const BIN = join(ROOT, '.venv/bin')
const START_MS = 60_000

export interface Site {
  url: string
  home: string
  stop: () => Promise<void>
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

async function waitFor(url: string, child: ChildProcess, said: () => string): Promise<void> {
  const end = Date.now() + START_MS
  while (Date.now() < end) {
    if (child.exitCode !== null) break
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  throw new Error(`${url} does not answer:\n${said()}`)
}

function start(command: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const listen = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-20_000)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const stop = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null) return resolve()
      const hard = setTimeout(() => child.kill('SIGKILL'), 8_000)
      child.once('exit', () => {
        clearTimeout(hard)
        resolve()
      })
      child.kill('SIGTERM')
    })
  return { child, stop, said: () => said }
}

/** `delay` is the pause between two pieces of the model's text, in seconds. Without `model`, the offline reader answers. */
export async function startSite({
  model = true,
  delay = 0.02,
  env = {} as Record<string, string>,
} = {}): Promise<Site> {
  const home = mkdtempSync(join(tmpdir(), 'docmind-e2e-'))
  const clean: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' }
  const stops: (() => Promise<void>)[] = []
  const modelEnv: Record<string, string> = {}
  if (model) {
    const port = await freePort()
    const scripted = start(
      join(BIN, 'python'),
      ['-m', 'tests.scripted_model', '--port', `${port}`, '--delay', `${delay}`],
      {
        cwd: join(ROOT, 'backend'),
        env: clean,
      },
    )
    stops.push(scripted.stop)
    await waitFor(`http://127.0.0.1:${port}/v1/models`, scripted.child, scripted.said)
    Object.assign(modelEnv, {
      LLM_BASE_URL: `http://127.0.0.1:${port}/v1`,
      LLM_MODEL: 'scripted',
      LLM_API_KEY: 'none',
    })
  }
  const port = await freePort()
  const server = start(join(BIN, 'docmind'), ['serve', '--home', home, '--port', `${port}`], {
    cwd: ROOT,
    env: { ...clean, ...modelEnv, ...env },
  })
  stops.unshift(server.stop)
  const url = `http://127.0.0.1:${port}`
  await waitFor(`${url}/api/health`, server.child, server.said)
  return {
    url,
    home,
    stop: async () => {
      for (const stop of stops) await stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
