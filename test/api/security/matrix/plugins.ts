import { PASSWORD } from '../club.js';
import type { Kind } from './configured.js';
import type { Visit } from './finding.js';
import { covers, entrance, ruleOf } from './oracle.js';
import type { Outcome } from './oracle.js';
import type { Result } from './transports.js';

interface Operation {
  readonly what: string;
  readonly kind: Kind;
  readonly action: string;
  readonly send: () => Promise<Result>;
  /** Where the door is open. */
  readonly expected?: Outcome;
}

let made = 0;

const userBody = (): Readonly<Record<string, string>> => {
  made += 1;
  return { username: `made${made}`, email: `made${made}@example.org`, password: PASSWORD };
};

const newUser = async ({ library }: Visit): Promise<number> => {
  const { body } = await library.club.ask('POST', '/api/users', { as: library.full, body: userBody() });
  return (body as { id: number }).id;
};

const newRole = async ({ library }: Visit): Promise<number> => {
  made += 1;
  await library.club.ask('POST', '/api/users-permissions/roles', { as: library.full, body: { name: `Role ${made}` } });
  const { body } = await library.club.ask('GET', '/api/users-permissions/roles', { as: library.full });
  return (body as { roles: { id: number }[] }).roles.at(-1)?.id ?? 0;
};

const users = async (visit: Visit): Promise<readonly Operation[]> => {
  const { voice, library, caller } = visit;
  const ann = library.people['ann'];
  const byGraphql = (field: string, kind = 'mutation') => () => voice.graphql(`${kind} { done: ${field} }`);
  const [first, second] = [await newUser(visit), await newUser(visit)];
  const data = (): string => Object.entries(userBody()).map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ');
  // Nobody but users is anybody to themselves.
  const self = caller.person === null ? 'unauthorised' : 'ok';
  const destroyed = await newUser(visit);
  return [
    { what: 'users', kind: 'user', action: 'find', send: () => voice.rest('GET', '/api/users?populate=*') },
    { what: 'users by graphql', kind: 'user', action: 'find', send: byGraphql('usersPermissionsUsers_connection(pagination: { limit: -1 }) { nodes { username } pageInfo { total } }', 'query') },
    { what: 'one user', kind: 'user', action: 'findOne', send: () => voice.rest('GET', `/api/users/${ann?.id ?? 0}`) },
    { what: 'one user by graphql', kind: 'user', action: 'findOne', send: byGraphql(`usersPermissionsUser(documentId: "${ann?.documentId ?? ''}") { username }`, 'query') },
    { what: 'count', kind: 'user', action: 'count', send: () => voice.rest('GET', '/api/users/count') },
    { what: 'me', kind: 'user', action: 'me', send: () => voice.rest('GET', '/api/users/me?populate=*'), expected: self },
    { what: 'me by graphql', kind: 'user', action: 'me', send: byGraphql('me { username email role { name } }', 'query'), expected: self },
    { what: 'make a user', kind: 'user', action: 'create', send: () => voice.rest('POST', '/api/users', userBody()) },
    { what: 'make a user by graphql', kind: 'user', action: 'create', send: byGraphql(`createUsersPermissionsUser(data: { ${data()} }) { data { documentId } }`) },
    { what: 'change a user', kind: 'user', action: 'update', send: () => voice.rest('PUT', `/api/users/${first}`, { title: 'changed' }) },
    { what: 'change a user by graphql', kind: 'user', action: 'update', send: byGraphql(`updateUsersPermissionsUser(id: ${first}, data: { title: "changed" }) { data { documentId } }`) },
    { what: 'change a user\'s secret', kind: 'user', action: 'update', send: () => voice.rest('PUT', `/api/users/${first}`, { note: 'note-of-made', password: 'another-one' }) },
    { what: 'remove a user', kind: 'user', action: 'destroy', send: () => voice.rest('DELETE', `/api/users/${second}`) },
    { what: 'remove a user by graphql', kind: 'user', action: 'destroy', send: byGraphql(`deleteUsersPermissionsUser(id: ${destroyed}) { data { documentId } }`) },
  ];
};

const roles = async (visit: Visit): Promise<readonly Operation[]> => {
  const { voice } = visit;
  const [kept, gone, goneToo] = [await newRole(visit), await newRole(visit), await newRole(visit)];
  made += 1;
  const name = `Role ${made}`;
  return [
    { what: 'roles', kind: 'role', action: 'find', send: () => voice.rest('GET', '/api/users-permissions/roles') },
    { what: 'roles by graphql', kind: 'role', action: 'find', send: () => voice.graphql('{ done: usersPermissionsRoles { name type } }') },
    { what: 'one role', kind: 'role', action: 'findOne', send: () => voice.rest('GET', `/api/users-permissions/roles/${kept}`) },
    { what: 'make a role', kind: 'role', action: 'createRole', send: () => voice.rest('POST', '/api/users-permissions/roles', { name: `${name} by rest` }) },
    { what: 'make a role by graphql', kind: 'role', action: 'createRole', send: () => voice.graphql(`mutation { done: createUsersPermissionsRole(data: { name: "${name} by graphql", permissions: ["api::story.story.find"] }) { ok } }`) },
    { what: 'change a role', kind: 'role', action: 'updateRole', send: () => voice.rest('PUT', `/api/users-permissions/roles/${kept}`, { description: 'changed' }) },
    { what: 'change a role by graphql', kind: 'role', action: 'updateRole', send: () => voice.graphql(`mutation { done: updateUsersPermissionsRole(id: ${kept}, data: { description: "changed" }) { ok } }`) },
    { what: 'remove a role', kind: 'role', action: 'deleteRole', send: () => voice.rest('DELETE', `/api/users-permissions/roles/${gone}`) },
    { what: 'remove a role by graphql', kind: 'role', action: 'deleteRole', send: () => voice.graphql(`mutation { done: deleteUsersPermissionsRole(id: ${goneToo}) { ok } }`) },
    { what: 'what can be granted', kind: 'permissions', action: 'getPermissions', send: () => voice.rest('GET', '/api/users-permissions/permissions') },
  ];
};

const newFile = async ({ library }: Visit): Promise<number> => {
  const form = new FormData();
  form.append('files', new Blob(['text'], { type: 'text/plain' }), 'gone.txt');
  const response = await fetch(`${library.club.site.server.url}/api/upload`, { method: 'POST', headers: { authorization: `Bearer ${library.full}` }, body: form });
  return ((await response.json()) as { id: number }[])[0]?.id ?? 0;
};

const files = async (visit: Visit): Promise<readonly Operation[]> => {
  const { voice, library: { ids } } = visit;
  const [first, second] = [await newFile(visit), await newFile(visit)];
  return [
    { what: 'files', kind: 'file', action: 'find', send: () => voice.rest('GET', '/api/upload/files') },
    { what: 'files by graphql', kind: 'file', action: 'find', send: () => voice.graphql('{ done: uploadFiles_connection { nodes { name url } pageInfo { total } } }') },
    { what: 'one file', kind: 'file', action: 'findOne', send: () => voice.rest('GET', `/api/upload/files/${ids.file}`) },
    { what: 'one file by graphql', kind: 'file', action: 'findOne', send: () => voice.graphql(`{ done: uploadFile(documentId: "${ids.fileDocument}") { name } }`) },
    { what: 'upload what is no form', kind: 'file', action: 'upload', send: () => voice.rest('POST', '/api/upload', {}), expected: 'invalid' },
    { what: 'describe a file by graphql', kind: 'file', action: 'upload', send: () => voice.graphql(`mutation { done: updateUploadFile(id: ${ids.file}, info: { caption: "seen" }) { caption } }`) },
    { what: 'remove a file', kind: 'file', action: 'destroy', send: () => voice.rest('DELETE', `/api/upload/files/${first}`) },
    { what: 'remove a file by graphql', kind: 'file', action: 'destroy', send: () => voice.graphql(`mutation { done: deleteUploadFile(id: ${second}) { name } }`) },
    { what: 'languages', kind: 'locale', action: 'listLocales', send: () => voice.rest('GET', '/api/i18n/locales') },
    { what: 'languages by graphql', kind: 'locale', action: 'listLocales', send: () => voice.graphql('{ done: i18NLocales { code } }') },
  ];
};

export async function checkPlugins(visit: Visit): Promise<void> {
  for (const operations of [await users(visit), await roles(visit), await files(visit)]) {
    for (const { what, kind, action, send, expected = 'ok' } of operations) {
      const door = entrance(visit.caller, kind, action);
      visit.compare(what, (await send()).outcome, door === 'ok' ? expected : door);
    }
  }
}

/** What must be in no answer at all for this caller. */
export function unspeakable({ caller }: Pick<Visit, 'caller'>): readonly string[] {
  const finds = ruleOf(caller, 'story', 'find');
  const looks = ruleOf(caller, 'story', 'findOne');
  const story = (name: string) => ({ title: `${name} story`, owner: { username: name } });
  const seesBody = (name: string): boolean => [finds, looks].some((rule) => covers(caller, rule, story(name)) && (rule?.fields === undefined || rule.fields.includes('body')));
  const userRules = [ruleOf(caller, 'user', 'find'), ruleOf(caller, 'user', 'findOne'), ruleOf(caller, 'user', 'update')];
  const seesAddresses = userRules.some((rule) => rule !== null && (rule.fields === undefined || rule.fields.includes('email')));
  return [
    ...['ann', 'bob'].filter((name) => !seesBody(name)).map((name) => `body-of-${name}`),
    ...(ruleOf(caller, 'vault', 'find') === null ? ['code-v'] : []),
    ...(seesAddresses ? [] : ['ann', 'bob', 'eve'].filter((name) => name !== caller.person).map((name) => `${name}@example.com`)),
  ];
}
