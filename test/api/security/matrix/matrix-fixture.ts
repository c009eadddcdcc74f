import { createRole } from '../../../../src/access/roles/write-roles.js';
import { createToken, revokeToken } from '../../../../src/access/tokens.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import { createTestbed } from '../testbed.js';
import type { Testbed, TestUser } from '../testbed.js';
import { ROLES, TOKEN_GRANTS, UIDS, WHERE } from './configuration.js';
import type { CallerName, Grants, Kind } from './configuration.js';
import type { SeedDocument } from './oracle.js';

const localized = { i18n: { localized: true } };
const relation = (target: string, kind = 'manyToOne', extra = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...extra,
});

const schemaFile = (
  name: string,
  plural: string,
  attributes: object,
  { single = false, ...more }: { readonly single?: boolean; readonly pluginOptions?: object } = {},
): readonly [string, string] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  JSON.stringify({
    kind: single ? 'singleType' : 'collectionType',
    collectionName: plural,
    info: { singularName: name, pluralName: plural, displayName: name },
    options: { draftAndPublish: name === 'story' },
    attributes,
    ...more,
  }),
];

const FILES: Readonly<Record<string, string>> = Object.fromEntries([
  schemaFile(
    'story',
    'stories',
    {
      title: { type: 'string', pluginOptions: localized },
      body: { type: 'text' },
      rating: { type: 'integer' },
      secret: { type: 'string', private: true },
      pin: { type: 'password' },
      owner: relation(UIDS.user),
      shelf: relation(UIDS.shelf, 'manyToOne', { inversedBy: 'stories' }),
      vault: relation(UIDS.vault),
      cover: { type: 'media', multiple: false },
      card: { type: 'component', component: 'matrix.card' },
      parts: { type: 'dynamiczone', components: ['matrix.card'] },
    },
    { pluginOptions: localized },
  ),
  schemaFile('shelf', 'shelves', {
    name: { type: 'string' },
    stories: relation(UIDS.story, 'oneToMany', { mappedBy: 'shelf' }),
  }),
  schemaFile('vault', 'vaults', { code: { type: 'string' } }),
  schemaFile(
    'bulletin',
    'bulletins',
    { text: { type: 'string' }, hush: { type: 'string', private: true }, owner: relation(UIDS.user) },
    { single: true },
  ),
  [
    'src/components/matrix/card.json',
    JSON.stringify({
      collectionName: 'components_matrix_cards',
      info: { displayName: 'Card' },
      attributes: {
        label: { type: 'string' },
        hush: { type: 'string', private: true },
        vault: relation(UIDS.vault, 'oneToOne'),
      },
    }),
  ],
  [
    'src/extensions/users-permissions/content-types/user/schema.json',
    JSON.stringify({ attributes: { title: { type: 'string' }, note: { type: 'string', private: true } } }),
  ],
]);

const SALT = 'f3Wd9sKz7QyB1nVx5MtE8uRj2oLpC6hT';

/** Texts that no response may contain, whatever was granted. */
export const SECRETS = ['secret-of', 'pin-of', 'hush-of', 'note-of'];

export interface MatrixFixture {
  readonly testbed: Testbed;
  readonly full: string;
  readonly credentials: Readonly<Record<CallerName, string | null>>;
  readonly users: Readonly<Record<string, TestUser>>;
  /** The seeded stories, by owner. */
  readonly stories: Readonly<Record<'ann' | 'bob', SeedDocument & { readonly documentId: string }>>;
  readonly ids: Readonly<Record<'shelf' | 'vault' | 'file' | 'fileDocument', string>>;
  readonly createDocument: (path: string, data: object) => Promise<string>;
}

const grantAll = async (testbed: Testbed): Promise<void> => {
  for (const [role, grants] of Object.entries(ROLES)) {
    if (role !== 'public' && role !== 'authenticated') await createRole(testbed.context, { name: role });
    for (const kind of Object.keys(UIDS) as Kind[]) {
      const rules = Object.entries(grants).filter(([name]) => name.startsWith(`${kind}.`));
      const grantedRules = rules.map(
        ([name, { fields = null, rows, status, locale }]) =>
          [
            name.slice(kind.length + 1),
            {
              ...(status === undefined ? {} : { status }),
              ...(locale === undefined ? {} : { locales: [locale] }),
              fields,
              where:
                rows === undefined
                  ? null
                  : kind === 'user'
                    ? { username: { $startsWith: 'ann' } }
                    : WHERE[rows],
            },
          ] as const,
      );
      if (grantedRules.length > 0) await testbed.grant(role, UIDS[kind], Object.fromEntries(grantedRules));
    }
  }
};

const actionsOf = (grants: Grants): readonly string[] =>
  Object.keys(grants).map((name) => `${UIDS[name.split('.')[0] as Kind]}.${name.split('.')[1]}`);

const createUsers = async (testbed: Testbed, full: string): Promise<Readonly<Record<string, TestUser>>> => {
  const { roles } = (await testbed.request('GET', '/api/users-permissions/roles', { as: full })).body as {
    roles: { id: number; type: string }[];
  };
  const roleId = (name: string): number | null => roles.find((role) => role.type === name)?.id ?? null;
  const rolesByName = {
    ann: 'authenticated',
    bob: 'authenticated',
    eve: 'editor',
    kim: 'curator',
    dan: 'drafter',
    tim: 'translator',
    lost: '',
    blocked: 'editor',
    unconfirmed: 'editor',
    gone: 'editor',
  };
  const users: Record<string, TestUser> = {};
  for (const [name, role] of Object.entries(rolesByName))
    users[name] = await testbed.createUser(name, {
      role: roleId(role),
      title: `${name} title`,
      note: `note-of-${name}`,
    });
  await testbed.request('PUT', `/api/users/${users['blocked']?.id ?? 0}`, {
    as: full,
    body: { blocked: true },
  });
  await testbed.request('PUT', `/api/users/${users['unconfirmed']?.id ?? 0}`, {
    as: full,
    body: { confirmed: false },
  });
  await testbed.request('DELETE', `/api/users/${users['gone']?.id ?? 0}`, { as: full });
  return users;
};

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const credentialsOf = async (
  testbed: Testbed,
  full: string,
  users: Readonly<Record<string, TestUser>>,
): Promise<MatrixFixture['credentials']> => {
  const context = { ...testbed.context, salt: SALT };
  const custom = await createToken(context, {
    name: 'matrix',
    type: 'custom',
    permissions: actionsOf(TOKEN_GRANTS),
  });
  const expired = await createToken(context, { name: 'over', type: 'full-access', lifespan: '7d' });
  await testbed.context.database.transact((tx) =>
    tx.model('ApiToken').update({
      where: { id: expired.token.id },
      data: { expiresAt: new Date(Date.now() - 1000).toISOString() },
    }),
  );
  const revoked = await createToken(context, { name: 'revoked', type: 'full-access' });
  await revokeToken(context, 'revoked');
  await testbed.site.server.app.access.refresh();
  const jwtOf = (name: string): string => users[name]?.jwt ?? '';
  const [, payload = ''] = jwtOf('eve').split('.');
  const { iat, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iat: number };
  return {
    anonymous: null,
    'read-only token': testbed.site.tokens['readonly'] ?? '',
    'full-access token': full,
    'custom token': custom.accessKey,
    ann: jwtOf('ann'),
    bob: jwtOf('bob'),
    'an editor': jwtOf('eve'),
    'a curator': jwtOf('kim'),
    'an editor of drafts': jwtOf('dan'),
    'a translator': jwtOf('tim'),
    'a user without role': jwtOf('lost'),
    'a blocked user': jwtOf('blocked'),
    'an unconfirmed user': jwtOf('unconfirmed'),
    'a deleted user': jwtOf('gone'),
    'an expired token': expired.accessKey,
    'a revoked token': revoked.accessKey,
    'a garbage token': 'a'.repeat(128),
    'an unsigned JWT': `${base64({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'a JWT signed by somebody else': [
      base64({ alg: 'HS256', typ: 'JWT' }),
      base64({ ...claims, iat }),
      'A'.repeat(43),
    ].join('.'),
  };
};

const uploadCover = async (
  testbed: Testbed,
  full: string,
): Promise<{ readonly id: number; readonly documentId: string }> => {
  const form = new FormData();
  form.append('files', new Blob(['plain text'], { type: 'text/plain' }), 'cover.txt');
  const response = await fetch(`${testbed.site.server.url}/api/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${full}` },
    body: form,
  });
  const [file] = (await response.json()) as { id: number; documentId: string }[];
  if (file === undefined) throw new Error('not uploaded');
  return file;
};

export async function createMatrixFixture(database: TestDatabaseKind): Promise<MatrixFixture> {
  const testbed = await createTestbed({
    database,
    files: FILES,
    usersPermissions: { advanced: { emailConfirmation: true } },
  });
  const full = testbed.site.tokens['full'] ?? '';
  await testbed.grant('public', 'plugin::users-permissions.auth', { callback: true });
  await grantAll(testbed);
  const users = await createUsers(testbed, full);
  const createDocument = async (path: string, data: object): Promise<string> => {
    const { status, body } = await testbed.request('POST', path, { as: full, body: { data } });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (body as { data: { documentId: string } }).data.documentId;
  };
  const [shelf, vault, file] = [
    await createDocument('/api/shelves', { name: 'shelf-a' }),
    await createDocument('/api/vaults', { code: 'code-v' }),
    await uploadCover(testbed, full),
  ];
  const stories: Record<string, SeedDocument & { readonly documentId: string }> = {};
  const shelfStories: SeedDocument[] = [];
  const shelfDocument: SeedDocument = { name: 'shelf-a', stories: shelfStories };
  for (const [index, name] of ['ann', 'bob'].entries()) {
    const scalars = { title: `${name} story`, body: `body-of-${name}`, rating: index + 1 };
    const [card, parts] = [
      { label: `label-${name}`, hush: `hush-of-${name}`, vault },
      [{ __component: 'matrix.card', label: `zone-${name}`, hush: `hush-of-${name}`, vault }],
    ];
    const documentId = await createDocument('/api/stories', {
      ...scalars,
      secret: `secret-of-${name}`,
      pin: `pin-of-${name}`,
      owner: users[name]?.documentId,
      shelf,
      vault,
      cover: file.id,
      card,
      parts,
    });
    const owner = {
      username: name,
      email: `${name}@example.com`,
      title: `${name} title`,
      provider: 'local',
      confirmed: true,
      blocked: false,
    };
    const story = {
      ...scalars,
      documentId,
      owner,
      shelf: shelfDocument,
      vault: { code: 'code-v' },
      card: { label: `label-${name}`, vault: { code: 'code-v' } },
    };
    stories[name] = story;
    shelfStories.push(story);
  }
  await testbed.request('PUT', '/api/bulletin', {
    as: full,
    body: { data: { text: 'read all about it', hush: 'hush-of-all', owner: users['ann']?.documentId } },
  });
  const credentials = await credentialsOf(testbed, full, users);
  return {
    testbed,
    full,
    users,
    credentials,
    stories: stories as MatrixFixture['stories'],
    createDocument,
    ids: { shelf, vault, file: String(file.id), fileDocument: file.documentId },
  };
}
