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

  it('prints what the project adds and leaves out, without a database', async () => {
    const entry = `export const register = ({ graphql, fastify }) => {
      fastify.get('/mine', async () => 'mine');
      graphql.shadowCRUD('plugin::upload.file').disableMutations();
      graphql.use(({ nexus }) => ({ types: [nexus.queryField('now', { type: 'DateTime' })] }));
    };`;
    const project = createTempProject({ 'src/index.js': entry });
    const { stdout, exitCode } = await runCommand(GraphqlSchema, [], { cwd: project.root });
    expect(exitCode).toBe(0);
    const schema = buildSchema(stdout);
    expect(String(schema.getQueryType()?.getFields()['now']?.type)).toBe('DateTime');
    expect(schema.getMutationType()?.getFields()).not.toHaveProperty('deleteUploadFile');
  });

  it('says which extension is broken', async () => {
    const project = createTempProject({
      'src/index.js':
        'export const register = ({ graphql }) => { graphql.use({ typeDefs: "type Query {" }); };',
    });
    const { stderr, exitCode } = await runCommand(GraphqlSchema, [], { cwd: project.root });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('GraphQL extension 1 (src/index.js:1), typeDefs: Syntax Error'),
    ]);
  });
});
