import { describe, expect, it } from 'vitest';
import { findCandidates } from '../../../../src/cli/completion/candidates.js';
import type { CommandSpec, FlagSpec, CompletionKind } from '../../../../src/cli/completion/command-spec.js';
import type { ProjectNames } from '../../../../src/cli/completion/project-names.js';

const flag = (name: string, more: Partial<FlagSpec> = {}): FlagSpec => ({
  name,
  char: undefined,
  description: `The ${name}.`,
  takesValue: false,
  multiple: false,
  options: [],
  kind: undefined,
  ...more,
});

const arg = (name: string, kind?: CompletionKind, multiple = false): CommandSpec['args'][number] => ({
  name,
  kind,
  multiple,
  options: [],
});

const command = (
  id: string,
  args: CommandSpec['args'] = [],
  flags: readonly FlagSpec[] = [],
): CommandSpec => ({
  words: id.split(' '),
  description: `Does ${id}.`,
  args,
  flags: [...flags, flag('json'), flag('yes', { char: 'y' })],
});

const commands: readonly CommandSpec[] = [
  command('migrate', [], [flag('name', { takesValue: true })]),
  command('migrate deploy'),
  command('migrate status'),
  command(
    'token create',
    [],
    [
      flag('type', { takesValue: true, options: ['read-only', 'full-access'] }),
      flag('permission', { takesValue: true, multiple: true, kind: 'action' }),
      flag('salt-file', { takesValue: true, kind: 'path' }),
    ],
  ),
  command('type show', [arg('uid', 'type')]),
  command('user block', [arg('user', 'user')]),
  command('field rename', [arg('uid', 'type'), arg('old', 'field'), arg('new')]),
  command('permissions set', [arg('role', 'role'), arg('uid', 'type'), arg('action', 'action', true)]),
];

const list =
  (...names: readonly string[]) =>
  async (): Promise<readonly string[]> =>
    names;
const names: ProjectNames = {
  types: list('article', 'author', 'api::article.article', 'api::author.author', 'plugin::upload.file'),
  components: list('shared.seo'),
  fields: async (type) => (type === 'article' ? ['title', 'slug'] : []),
  roles: list('public', 'authenticated'),
  locales: list('en'),
  remotes: list('production'),
  tokens: list('ci'),
  users: async (prefix) => (prefix.includes('@') ? ['ann@example.com'] : ['ann', 'bob']),
  grantables: list('article'),
  actions: async (type) => (type === 'article' ? ['find', 'findOne'] : []),
  permissions: list('article.find'),
};
const topics = new Map([
  ['token', 'API tokens.'],
  ['type', 'Content-types.'],
]);

const complete = async (...line: readonly string[]): Promise<unknown> => {
  const found = await findCandidates({ line, commands, topics, names });
  return found === 'path' ? found : found.map(({ value }) => value);
};

describe('completion offers', () => {
  it.each([
    ['commands and topics', [''], ['migrate', 'token', 'type', 'user', 'field', 'permissions']],
    ['those that begin as typed', ['t'], ['token', 'type']],
    ['the commands of a topic', ['token', ''], ['create']],
    ['subcommands of a command', ['migrate', ''], ['deploy', 'status']],
    ['flags, long ones', ['migrate', '--'], ['--name', '--json', '--yes']],
    ['flags that are still free', ['migrate', '--json', '-y', '-'], ['--name']],
    ['flags that may be repeated again', ['token', 'create', '--permission', 'x', '--p'], ['--permission']],
    ['the fixed values of a flag', ['token', 'create', '--type', ''], ['read-only', 'full-access']],
    ['the fixed values after "="', ['token', 'create', '--type=f'], ['--type=full-access']],
    ['nothing for a value that is free', ['migrate', '--name', ''], []],
    ['files for a path', ['token', 'create', '--salt-file', ''], 'path'],
    ['files for a path after "="', ['token', 'create', '--salt-file=x'], 'path'],
    ['short names of types', ['type', 'show', ''], ['article', 'author']],
    ['uids to whoever types one', ['type', 'show', 'api::ar'], ['api::article.article']],
    ['fields of the type named before', ['field', 'rename', 'article', ''], ['title', 'slug']],
    ['nothing for a new name', ['field', 'rename', 'article', 'title', ''], []],
    ['nothing after the last argument', ['type', 'show', 'article', ''], []],
    ['roles', ['permissions', 'set', 'p'], ['public']],
    ['users', ['user', 'block', 'b'], ['bob']],
    ['users by their address', ['user', 'block', 'ann@'], ['ann@example.com']],
    [
      'a repeated argument again and again',
      ['permissions', 'set', 'public', 'article', 'find', 'findO'],
      ['findOne'],
    ],
    ['arguments with flags between them', ['field', '--json', 'rename', ''], []],
    ['arguments after flags', ['permissions', 'set', '--json', 'public', ''], ['article', 'author']],
    ['nothing for what nobody knows', ['bogus', ''], []],
  ])('%s', async (_name, line, expected) => {
    expect(await complete(...line)).toEqual(expected);
  });

  it('says what each candidate is', async () => {
    const candidatesOf = async (...line: readonly string[]): Promise<unknown> =>
      findCandidates({ line, commands, topics, names });
    expect(await candidatesOf('to')).toEqual([{ value: 'token', description: 'API tokens.' }]);
    expect(await candidatesOf('migrate', 'dep')).toEqual([
      { value: 'deploy', description: 'Does migrate deploy.' },
    ]);
    expect(await candidatesOf('mig')).toEqual([{ value: 'migrate', description: 'Does migrate.' }]);
    expect(await candidatesOf('migrate', '--na')).toEqual([{ value: '--name', description: 'The name.' }]);
  });

  it('names of the project only when they are asked for', async () => {
    const broken: ProjectNames = {
      ...names,
      types: async () => {
        throw new Error('must not be read');
      },
    };
    expect(await findCandidates({ line: ['type', ''], commands, topics, names: broken })).toHaveLength(1);
    await expect(
      findCandidates({ line: ['type', 'show', ''], commands, topics, names: broken }),
    ).rejects.toThrow('must not be read');
  });
});
