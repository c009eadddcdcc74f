import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import GraphqlSchema from '../../src/commands/graphql/schema.js';
import { createTempProject } from './support/temp-project.js';
import { runCommand } from './support/run-command.js';

describe('cms graphql schema', () => {
  it('prints the SDL of the project', async () => {
    const project = createTempProject();
    const { stdout, exitCode } = await runCommand(GraphqlSchema, [], { cwd: project.root });
    expect(exitCode).toBe(0);
    expect(buildSchema(stdout).getQueryType()?.getFields()['me']).toBeDefined();
  });
});
