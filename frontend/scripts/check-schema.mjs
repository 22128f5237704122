// Fails when src/api/schema.gen.ts is not what openapi.json gives: run `make schema`.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'schema-'))
const fresh = join(folder, 'schema.gen.ts')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const [tool, ...rest] = scripts.schema.split(' ')
const args = rest.map((word) => (word === 'src/api/schema.gen.ts' ? fresh : word))
execFileSync(`node_modules/.bin/${tool}`, args, { stdio: ['ignore', 'ignore', 'inherit'] })
const same =
  existsSync('src/api/schema.gen.ts') && readFileSync(fresh, 'utf8') === readFileSync('src/api/schema.gen.ts', 'utf8')
rmSync(folder, { recursive: true })
if (!same) {
  console.error('src/api/schema.gen.ts does not match openapi.json: run `make schema` and commit both.')
  process.exit(1)
}
