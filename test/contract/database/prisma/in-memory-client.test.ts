import { createRequire } from 'node:module';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runClientGenerator } from '../../../../src/database/prisma/client-generator.js';
import { brokenReach, THING_SCHEMA } from './reach.js';

const require = createRequire(import.meta.url);
const FILE = 'in-memory-client.ts';

const CONFIG_MEMBERS = [
  'activeProvider',
  'clientVersion',
  'compilerWasm',
  'engineVersion',
  'inlineSchema',
  'parameterizationSchema',
  'previewFeatures',
  'runtimeDataModel',
];

/** The members of the `config` object that a generated `index.js` passes to `getPrismaClient`. */
const configMembers = (code: string): readonly string[] => {
  const [, literal = ''] = /const config = (\{[\s\S]*?\n\})/.exec(code) ?? [];
  const assigned = [...code.matchAll(/^config\.(\w+) = /gm)].map(([, name]) => String(name));
  return [...Object.keys(JSON.parse(literal) as object), ...assigned].toSorted();
};

const generateCode = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-reach-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const outputDir = join(folder, 'client');
  await runClientGenerator({ schemaText: THING_SCHEMA('sqlite'), outputDir, provider: 'sqlite' });
  return readFile(join(outputDir, 'index.js'), 'utf8');
};

describe('the in-memory client', () => {
  it('finds getPrismaClient in the runtime', () => {
    const runtime = require('@prisma/client/runtime/client.js') as Readonly<Record<string, unknown>>;
    expect(typeof runtime['getPrismaClient'], brokenReach(FILE, '`getPrismaClient` of the runtime')).toBe(
      'function',
    );
    for (const name of [
      'DbNull',
      'JsonNull',
      'AnyNull',
      'Decimal',
      'PrismaClientKnownRequestError',
      'sqltag',
    ])
      expect(runtime[name], brokenReach(FILE, `\`${name}\` of the runtime`)).toBeDefined();
  });

  it('passes the configuration that a generated client passes', async () => {
    const code = await generateCode();
    expect(
      configMembers(code),
      brokenReach(FILE, 'the members of the configuration of `getPrismaClient`'),
    ).toEqual(CONFIG_MEMBERS);
    expect(code, brokenReach(FILE, 'the import name of the query compiler')).toContain(
      "importName: './query_compiler_fast_bg.js'",
    );
  });

  it.each(['sqlite', 'postgresql'])('finds the query compiler for %s', (provider) => {
    const path = `@prisma/client/runtime/query_compiler_fast_bg.${provider}`;
    const { wasm } = require(`${path}.wasm-base64.js`) as { readonly wasm: unknown };
    const magicNumber = Buffer.from(String(wasm), 'base64').subarray(0, 4).toString('latin1');
    expect(magicNumber, brokenReach(FILE, 'a WebAssembly module in base64')).toBe('\0asm');
    const bindings = require(`${path}.js`) as Readonly<Record<string, unknown>>;
    for (const name of ['QueryCompiler', '__wbg_set_wasm'])
      expect(typeof bindings[name], brokenReach(FILE, `\`${name}\` of ${path}.js`)).toBe('function');
  });
});
