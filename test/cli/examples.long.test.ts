import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Migrate from '../../src/commands/migrate.js';
import New from '../../src/commands/new.js';
import { findExecutable } from '../support/executable.js';
import { commandFiles, exampleLines, loadCommand } from './support/command-files.js';
import { exampleStates } from './support/example-states.js';
import type { ExampleState } from './support/example-states.js';
import { runCommand } from './support/run-command.js';
import { prepareProject, runExample } from './support/run-example.js';
import { linkPackages } from './support/temp-project.js';

const groups = await Promise.all(
  commandFiles.map(async ({ id, file }) => ({ id, lines: exampleLines(await loadCommand(file), id) })),
);

let folder: string;

const createProject = async (template: string): Promise<string> => {
  const argv = [template, '--template', template, '--yes', '--no-install', '--no-git'];
  await runCommand(New, argv, { cwd: folder });
  const root = join(folder, template);
  linkPackages(root);
  const { stderr, exitCode } = await runCommand(Migrate, [], { cwd: root });
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  return root;
};

const projects = new Map<unknown, Promise<string>>();

/** Makes a project when it is first asked for. */
const remember = (key: unknown, create: () => Promise<string>): Promise<string> => {
  const project = projects.get(key) ?? create();
  projects.set(key, project);
  return project;
};

/** A project in the state that an example needs. Examples that need the same share it. */
const projectFor = async (state: ExampleState): Promise<string> => {
  const { template = 'blog', prepare = template } = state;
  return remember(prepare, async () => {
    const to = mkdtempSync(join(folder, 'prepared-'));
    await prepareProject(await remember(`new ${template}`, () => createProject(template)), to, state);
    return to;
  });
};

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'galley-examples-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The shell that an example is written for, if this machine lacks it. CI has all of them. */
const missingShell = ({ shell }: ExampleState): string | undefined =>
  shell === undefined || process.env['CI'] === 'true' || findExecutable([shell.name]) !== undefined
    ? undefined
    : shell.name;

describe.each(groups)('the examples of cms $id', ({ lines }) => {
  it.for(lines)('%s', async (line, { skip }) => {
    const state = exampleStates[line] ?? {};
    const shell = missingShell(state);
    if (shell !== undefined) skip(`${shell} is not installed`);
    await runExample(line, state, await projectFor(state));
  });
});

it('the states are those of examples', () => {
  const lines = new Set(groups.flatMap((group) => group.lines));
  expect(Object.keys(exampleStates).filter((line) => !lines.has(line))).toEqual([]);
});
