/** The limits of one granted action. */
export interface Rule {
  readonly fields?: readonly string[];
  /** `own`: documents the caller owns. `ann`: documents whose title begins with it. */
  readonly rows?: 'own' | 'ann';
  /** Only drafts may be written. */
  readonly status?: 'draft';
  /** Only French. All seeded documents are English. */
  readonly locale?: 'fr';
}

/** By action: `story.find`. */
export type Grants = Readonly<Record<string, Rule>>;

export const UIDS = {
  story: 'api::story.story',
  shelf: 'api::shelf.shelf',
  vault: 'api::vault.vault',
  bulletin: 'api::bulletin.bulletin',
  user: 'plugin::users-permissions.user',
  role: 'plugin::users-permissions.role',
  permissions: 'plugin::users-permissions.permissions',
  file: 'plugin::upload.content-api',
  locale: 'plugin::i18n.locales',
} as const;

export type Kind = keyof typeof UIDS;

export const WHERE = { own: { owner: { id: '$user.id' } }, ann: { title: { $startsWith: 'ann' } } } as const;

const unrestricted = (kind: Kind, ...actions: readonly string[]): Grants =>
  Object.fromEntries(actions.map((action) => [`${kind}.${action}`, {}]));

const limited = (kind: Kind, rule: Rule, ...actions: readonly string[]): Grants =>
  Object.fromEntries(actions.map((action) => [`${kind}.${action}`, rule]));

const CRUD = ['find', 'findOne', 'create', 'update', 'delete'];

/** The grants of each role. */
export const ROLES: Readonly<Record<string, Grants>> = {
  public: {
    'story.find': { fields: ['title', 'rating', 'shelf'], rows: 'ann' },
    ...unrestricted('shelf', 'find'),
    ...unrestricted('locale', 'listLocales'),
  },
  authenticated: {
    'story.find': { rows: 'own' },
    'story.findOne': { rows: 'own' },
    'story.findDrafts': { rows: 'ann' },
    'story.create': { rows: 'own' },
    'story.delete': { rows: 'own' },
    'story.update': { rows: 'own', fields: ['title', 'body', 'owner', 'shelf', 'vault'] },
    'user.find': { fields: ['username', 'role'] },
    'bulletin.update': { rows: 'own' },
    ...unrestricted('shelf', 'find'),
    ...unrestricted('bulletin', 'find'),
    ...unrestricted('user', 'me', 'count'),
    ...unrestricted('file', 'find'),
  },
  editor: {
    ...unrestricted('story', ...CRUD, 'findDrafts'),
    ...unrestricted('shelf', ...CRUD),
    ...unrestricted('bulletin', 'find', 'update', 'delete'),
    ...unrestricted('file', 'find', 'findOne', 'upload', 'destroy'),
    ...unrestricted('user', 'find', 'findOne', 'create', 'update', 'destroy', 'me'),
    ...unrestricted('role', 'find', 'findOne', 'createRole', 'updateRole', 'deleteRole'),
    ...unrestricted('permissions', 'getPermissions'),
  },
  drafter: {
    ...unrestricted('story', 'find', 'findOne', 'findDrafts'),
    ...limited('story', { status: 'draft' }, 'create', 'update', 'delete'),
    ...unrestricted('shelf', 'find'),
    ...unrestricted('vault', 'find'),
    'user.find': { fields: ['username', 'title'] },
  },
  translator: {
    ...limited('story', { locale: 'fr' }, ...CRUD, 'findDrafts'),
    ...unrestricted('shelf', 'find'),
    ...unrestricted('user', 'find'),
  },
  curator: {
    'story.find': { fields: ['title', 'vault', 'card', 'owner'] },
    'story.findOne': { fields: ['title'] },
    'story.findDrafts': { fields: ['title', 'owner', 'body'] },
    'story.update': { fields: ['title', 'vault'] },
    'user.find': { rows: 'ann', fields: ['username', 'title'] },
    ...unrestricted('vault', 'find'),
  },
};

/** The grants of the custom token. */
export const TOKEN_GRANTS: Grants = {
  ...unrestricted('story', 'find', 'create'),
  ...unrestricted('shelf', 'find'),
  ...unrestricted('user', 'find'),
};

/** A caller: its role or token, and whether its credential is valid. */
export interface CallerProfile {
  /** The owner of the caller's own documents; null: it has none. */
  readonly username: string | null;
  readonly grants: Grants | 'everything' | 'reading' | 'refused';
}

const rejectedCaller: CallerProfile = { username: null, grants: 'refused' };
const userCaller = (name: string, role: string | null): CallerProfile => ({
  username: name,
  grants: role === null ? {} : (ROLES[role] ?? {}),
});

export const CALLERS = {
  anonymous: { username: null, grants: ROLES['public'] ?? {} },
  'read-only token': { username: null, grants: 'reading' },
  'full-access token': { username: null, grants: 'everything' },
  'custom token': { username: null, grants: TOKEN_GRANTS },
  ann: userCaller('ann', 'authenticated'),
  bob: userCaller('bob', 'authenticated'),
  'an editor': userCaller('eve', 'editor'),
  'a curator': userCaller('kim', 'curator'),
  'an editor of drafts': userCaller('dan', 'drafter'),
  'a translator': userCaller('tim', 'translator'),
  'a user without role': userCaller('lost', null),
  'a blocked user': rejectedCaller,
  'an unconfirmed user': rejectedCaller,
  'a deleted user': rejectedCaller,
  'an expired token': rejectedCaller,
  'a garbage token': rejectedCaller,
  'a revoked token': rejectedCaller,
  'an unsigned JWT': rejectedCaller,
  'a JWT signed by somebody else': rejectedCaller,
} as const satisfies Readonly<Record<string, CallerProfile>>;

export type CallerName = keyof typeof CALLERS;
