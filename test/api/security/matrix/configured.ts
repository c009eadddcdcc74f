/** How far one granted action goes: all of it, some attributes, some documents. */
export interface Rule {
  readonly fields?: readonly string[];
  /** `own`: whose owner asks. `ann`: whose title begins so. */
  readonly rows?: 'own' | 'ann';
}

/** By `story.find` and the like. */
export type Grants = Readonly<Record<string, Rule>>;

export const UIDS = {
  story: 'api::story.story', shelf: 'api::shelf.shelf', vault: 'api::vault.vault', bulletin: 'api::bulletin.bulletin',
  user: 'plugin::users-permissions.user', role: 'plugin::users-permissions.role', permissions: 'plugin::users-permissions.permissions',
  file: 'plugin::upload.content-api', locale: 'plugin::i18n.locales',
} as const;

export type Kind = keyof typeof UIDS;

export const WHERE = { own: { owner: { id: '$user.id' } }, ann: { title: { $startsWith: 'ann' } } } as const;

const all = (kind: Kind, ...actions: readonly string[]): Grants => Object.fromEntries(actions.map((action) => [`${kind}.${action}`, {}]));

const CRUD = ['find', 'findOne', 'create', 'update', 'delete'];

/** What each role may do. */
export const ROLES: Readonly<Record<string, Grants>> = {
  public: { 'story.find': { fields: ['title', 'rating', 'shelf'], rows: 'ann' }, ...all('shelf', 'find'), ...all('locale', 'listLocales') },
  authenticated: {
    'story.find': { rows: 'own' }, 'story.findOne': { rows: 'own' }, 'story.create': { rows: 'own' }, 'story.delete': { rows: 'own' },
    'story.update': { rows: 'own', fields: ['title', 'body', 'owner', 'shelf', 'vault'] },
    'user.find': { fields: ['username', 'role'] }, 'bulletin.update': { rows: 'own' },
    ...all('shelf', 'find'), ...all('bulletin', 'find'), ...all('user', 'me', 'count'), ...all('file', 'find'),
  },
  editor: {
    ...all('story', ...CRUD), ...all('shelf', ...CRUD), ...all('bulletin', 'find', 'update', 'delete'), ...all('file', 'find', 'findOne', 'upload', 'destroy'),
    ...all('user', 'find', 'findOne', 'create', 'update', 'destroy', 'me'), ...all('role', 'find', 'findOne', 'createRole', 'updateRole', 'deleteRole'), ...all('permissions', 'getPermissions'),
  },
  curator: {
    'story.find': { fields: ['title', 'vault', 'card', 'owner'] }, 'story.findOne': { fields: ['title'] }, 'story.update': { fields: ['title', 'vault'] },
    'user.find': { rows: 'ann', fields: ['username', 'title'] }, ...all('vault', 'find'),
  },
};

/** What the custom token may do. */
export const TOKEN_GRANTS: Grants = { ...all('story', 'find', 'create'), ...all('shelf', 'find'), ...all('user', 'find') };

/** Who asks: with which role or token, and whether the credential is any good. */
export interface CallerFacts {
  /** Whose documents are its own; null: nobody's. */
  readonly person: string | null;
  readonly grants: Grants | 'everything' | 'reading' | 'refused';
}

const refused: CallerFacts = { person: null, grants: 'refused' };
const person = (name: string, role: string | null): CallerFacts => ({ person: name, grants: role === null ? {} : ROLES[role] ?? {} });

export const CALLERS = {
  anonymous: { person: null, grants: ROLES['public'] ?? {} },
  'read-only token': { person: null, grants: 'reading' },
  'full-access token': { person: null, grants: 'everything' },
  'custom token': { person: null, grants: TOKEN_GRANTS },
  ann: person('ann', 'authenticated'),
  bob: person('bob', 'authenticated'),
  'an editor': person('eve', 'editor'),
  'a curator': person('kim', 'curator'),
  'a user without role': person('lost', null),
  'a blocked user': refused,
  'an unconfirmed user': refused,
  'a deleted user': refused,
  'an expired token': refused,
  'a garbage token': refused,
  'a revoked token': refused,
  'an unsigned JWT': refused,
  'a JWT signed by somebody else': refused,
} as const satisfies Readonly<Record<string, CallerFacts>>;

export type CallerName = keyof typeof CALLERS;
