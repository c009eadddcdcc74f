import type { Visit } from './finding.js';
import { covers, entrance, ruleOf, textOf, written } from './oracle.js';
import type { Doc, Outcome } from './oracle.js';
import type { Result } from './transports.js';

interface Attempt {
  readonly what: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** What the document is afterwards, where it differs. */
  readonly becomes?: Doc;
}

interface Target {
  readonly whose: 'ann' | 'bob';
  readonly documentId: string;
}

const owned = (name: string): Doc => ({ title: 'fresh', owner: { username: name, title: `${name} title` } });

const attemptsOn = ({ library }: Visit): readonly Attempt[] => [
  { what: 'nothing, which publishes', data: {} },
  { what: 'body', data: { body: 'changed' } },
  { what: 'rating', data: { rating: 7 } },
  { what: 'body and rating', data: { body: 'changed', rating: 7 } },
  { what: 'secret', data: { secret: 'changed' } },
  { what: 'vault', data: { vault: library.ids.vault } },
  { what: 'shelf', data: { shelf: library.ids.shelf } },
  { what: 'card', data: { card: { label: 'changed' } } },
  { what: 'card with vault', data: { card: { label: 'changed', vault: library.ids.vault } } },
  { what: 'cover', data: { cover: Number(library.ids.file) } },
  { what: 'owner', data: { owner: library.people['bob']?.documentId }, becomes: owned('bob') },
];

/** Links inside components need the right on their target as any others. */
const isDeniedInside = ({ caller }: Visit, { data }: Attempt): boolean => JSON.stringify(data['card'] ?? '').includes('vault') && ruleOf(caller, 'vault', 'find') === null;

const expectedOf = (visit: Visit, action: 'create' | 'update', attempt: Attempt, before: Doc): Outcome => {
  const outcome = written(visit.caller, { action, names: Object.keys(attempt.data), before, after: attempt.becomes ?? before });
  const isSeen = attempt.data['owner'] === undefined || covers(visit.caller, ruleOf(visit.caller, 'user', 'find'), (attempt.becomes?.['owner'] ?? {}) as Doc);
  if (outcome === 'unauthorised' || entrance(visit.caller, 'story', action) !== 'ok' || outcome === 'invalid') return outcome;
  if (isDeniedInside(visit, attempt)) return 'invalid';
  const isCovered = action === 'create' || covers(visit.caller, ruleOf(visit.caller, 'story', action), before);
  return isCovered && !isSeen ? 'invalid' : outcome;
};

const inputOf = ({ data }: Attempt): object => ({ ...data, ...(data['cover'] === undefined ? {} : { cover: textOf(data['cover']) }) });

const byBoth = ({ voice }: Visit, { documentId }: Target, attempt: Attempt): readonly (readonly [string, () => Promise<Result>])[] => [
  ['rest', () => voice.rest('PUT', `/api/stories/${documentId}`, { data: attempt.data })],
  ['rest draft', () => voice.rest('PUT', `/api/stories/${documentId}?status=draft`, { data: attempt.data })],
  ['graphql', () => voice.graphql('mutation($id: ID!, $data: StoryInput!) { done: updateStory(documentId: $id, data: $data) { documentId } }', { id: documentId, data: inputOf(attempt) })],
];

const state = async ({ library }: Visit): Promise<string> => {
  const { body } = await library.club.ask('GET', '/api/stories?status=draft&populate=*&pagination[pageSize]=100', { as: library.full });
  return JSON.stringify(body);
};

const fresh = ({ library }: Visit, whose: string): Promise<string> => library.make('/api/stories', { title: 'fresh', owner: library.people[whose]?.documentId });

const remove = async ({ library }: Visit, documentId: string): Promise<void> => {
  await library.club.ask('DELETE', `/api/stories/${documentId}`, { as: library.full });
};

const updating = async (visit: Visit): Promise<void> => {
  for (const whose of ['ann', 'bob'] as const) {
    const target: Target = { whose, documentId: await fresh(visit, whose) };
    let known = await state(visit);
    for (const attempt of attemptsOn(visit)) {
      const expected = expectedOf(visit, 'update', attempt, owned(whose));
      for (const [transport, send] of byBoth(visit, target, attempt)) {
        visit.compare(`${transport} update ${attempt.what} of ${whose}'s`, (await send()).outcome, expected);
        if (expected === 'ok' && attempt.becomes !== undefined) await visit.library.club.ask('PUT', `/api/stories/${target.documentId}`, { as: visit.library.full, body: { data: { owner: visit.library.people[whose]?.documentId } } });
      }
      if (expected === 'ok') known = await state(visit);
      else visit.compare(`update ${attempt.what} of ${whose}'s changed nothing`, visit.caller.grants === 'refused' || (await state(visit)) === known, true);
    }
    if (visit.caller.grants === 'refused') visit.compare(`updates of ${whose}'s changed nothing`, (await state(visit)) === known, true);
    await remove(visit, target.documentId);
  }
};

const deleting = async (visit: Visit): Promise<void> => {
  const { voice, compare, caller, library } = visit;
  const door = entrance(caller, 'story', 'delete');
  for (const whose of ['ann', 'bob'] as const) {
    for (const transport of ['rest', 'graphql']) {
      const documentId = await fresh(visit, whose);
      const expected = written(caller, { action: 'delete', names: [], before: owned(whose), after: owned(whose) });
      const result = transport === 'rest' ? await voice.rest('DELETE', `/api/stories/${documentId}`) : await voice.graphql('mutation($id: ID!) { done: deleteStory(documentId: $id) { documentId } }', { id: documentId });
      compare(`${transport} delete ${whose}'s`, result.outcome, expected);
      compare(`${transport} deleted ${whose}'s`, (await library.club.ask('GET', `/api/stories/${documentId}`, { as: library.full })).status, expected === 'ok' ? 404 : 200);
      await remove(visit, documentId);
    }
  }
  compare('delete what is not there', (await voice.rest('DELETE', '/api/stories/nosuchstory')).outcome, door);
};

const creating = async (visit: Visit): Promise<void> => {
  const { voice, compare, library } = visit;
  for (const whose of ['ann', 'bob'] as const) {
    for (const extra of [{}, { rating: 7 }, { vault: library.ids.vault }, { card: { vault: library.ids.vault } }]) {
      const attempt: Attempt = { what: `of ${whose} with ${Object.keys(extra).join()}`, data: { title: 'made', owner: library.people[whose]?.documentId, ...extra }, becomes: owned(whose) };
      const expected = expectedOf(visit, 'create', attempt, owned(whose));
      const before = await state(visit);
      compare(`rest create ${attempt.what}`, (await voice.rest('POST', '/api/stories', { data: attempt.data })).outcome, expected);
      compare(`graphql create ${attempt.what}`, (await voice.graphql('mutation($data: StoryInput!) { done: createStory(data: $data) { documentId } }', { data: attempt.data })).outcome, expected);
      const { body } = await library.club.ask('GET', '/api/stories?filters[title]=made', { as: library.full });
      const made = (body as { data: { documentId: string }[] }).data;
      compare(`created ${attempt.what}`, made.length, expected === 'ok' ? 2 : 0);
      for (const { documentId } of made) await remove(visit, documentId);
      compare(`state after ${attempt.what}`, (await state(visit)) === before, true);
    }
  }
};

/** The single type's one document, which is ann's. */
const bulletins = async ({ caller, voice, compare, library }: Visit): Promise<void> => {
  const find = entrance(caller, 'bulletin', 'find');
  compare('rest bulletin', (await voice.rest('GET', '/api/bulletin?populate=*')).outcome, find);
  compare('graphql bulletin', (await voice.graphql('{ done: bulletin { text } }')).outcome, find);
  const door = entrance(caller, 'bulletin', 'update');
  const update = door === 'ok' && !covers(caller, ruleOf(caller, 'bulletin', 'update'), owned('ann')) ? 'forbidden' : door;
  compare('rest update bulletin', (await voice.rest('PUT', '/api/bulletin', { data: { text: 'new' } })).outcome, update);
  compare('graphql update bulletin', (await voice.graphql('mutation { done: updateBulletin(data: { text: "newer" }) { documentId } }')).outcome, update);
  for (const [transport, send] of [['rest', () => voice.rest('DELETE', '/api/bulletin')], ['graphql', () => voice.graphql('mutation { done: deleteBulletin { documentId } }')]] as const) {
    compare(`${transport} delete bulletin`, (await send()).outcome, entrance(caller, 'bulletin', 'delete'));
    await library.club.ask('PUT', '/api/bulletin', { as: library.full, body: { data: { text: 'read all about it', hush: 'hush-of-all', owner: library.people['ann']?.documentId } } });
  }
};

export async function checkWriting(visit: Visit): Promise<void> {
  await updating(visit);
  await deleting(visit);
  await creating(visit);
  await bulletins(visit);
}
