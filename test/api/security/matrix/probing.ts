import { byCodePoint } from '../../../../src/lib/compare.js';
import { isRecord } from '../../../../src/lib/is-record.js';
import type { Visit } from './finding.js';
import { covers, entrance, fulfils, mayName, ruleOf, textOf } from './oracle.js';
import type { Outcome } from './oracle.js';

/** From a story, also to what nobody may name. */
const PATHS = [
  'title', 'body', 'secret', 'pin', 'owner.username', 'owner.email', 'owner.password', 'owner.note', 'owner.resetPasswordToken', 'owner.role.users.password', 'shelf.name', 'shelf.stories.body', 'shelf.stories.secret',
  'vault.code', 'card.label', 'card.hush', 'card.vault.code', 'owner_document_id', 'ownerDocumentId', 'createdBy.email', 'owner.roleDocumentId',
].map((path) => path.split('.'));

/** Who is refused at the door is refused there whatever is named. */
const pathsFor = (door: Outcome): readonly (readonly string[])[] => (door === 'ok' ? PATHS : PATHS.slice(0, 4));

const NEEDLES = ['ann', 'bob', '-'];

/** `?filters[owner][username][$contains]=ann` */
const restFilter = (path: readonly string[], needle: string, isNegated: boolean): string =>
  `filters${isNegated ? '[$not]' : ''}${path.map((name) => `[${name}]`).join('')}[$contains]=${needle}`;

const graphqlFilter = (path: readonly string[], needle: string, isNegated: boolean): object => {
  const inner = path.reduceRight<object>((at, name) => ({ [name]: at }), { contains: needle });
  return isNegated ? { not: inner } : inner;
};

const titlesOf = (list: unknown): unknown => (Array.isArray(list) ? list.map((row) => (isRecord(row) ? textOf(row['documentId']) : '')).toSorted(byCodePoint) : list);

/** What is found by an attribute that may be named, and that no other makes any difference. */
const filtering = async ({ library, caller, voice, compare }: Visit): Promise<void> => {
  const door = entrance(caller, 'story', 'find');
  const rule = ruleOf(caller, 'story', 'find');
  const visible = [library.stories.ann, library.stories.bob].filter((doc) => covers(caller, rule, doc));
  for (const path of pathsFor(door)) {
    const isNamed = mayName(caller, path, false);
    for (const needle of isNamed ? NEEDLES : ['-']) {
      for (const isNegated of path.includes('stories') ? [false] : [false, true]) {
        const what = `${isNegated ? 'not ' : ''}${path.join('.')} ${needle}`;
        const expected = visible.filter((doc) => fulfils(caller, doc, path, { needle, isNegated })).map(({ documentId }) => documentId).toSorted(byCodePoint);
        const rest = await voice.rest('GET', `/api/stories?${restFilter(path, needle, isNegated)}`);
        compare(`filter ${what}`, rest.outcome, door === 'ok' && !isNamed ? 'invalid' : door);
        if (rest.outcome === 'ok' && isRecord(rest.body)) compare(`found ${what}`, titlesOf(rest.body['data']), expected);
        const graphql = await voice.graphql('query($filters: StoryFiltersInput) { done: stories_connection(filters: $filters) { nodes { documentId } pageInfo { total } } }', { filters: graphqlFilter(path, needle, isNegated) });
        // What is in no input is refused before rights are looked at.
        compare(`graphql filter ${what}`, door === 'forbidden' && graphql.outcome === 'invalid' && !isNamed ? door : graphql.outcome, door === 'ok' && !isNamed ? 'invalid' : door);
        const done = isRecord(graphql.body) && isRecord(graphql.body['data']) ? graphql.body['data']['done'] : null;
        if (graphql.outcome === 'ok' && isRecord(done)) compare(`graphql found ${what}`, [titlesOf(done['nodes']), done['pageInfo']], [expected, { total: expected.length }]);
      }
    }
  }
};

const sorting = async ({ caller, voice, compare }: Visit): Promise<void> => {
  const door = entrance(caller, 'story', 'find');
  for (const path of pathsFor(door)) {
    const expected = door === 'ok' && !mayName(caller, path, true) ? 'invalid' : door;
    compare(`sort ${path.join('.')}`, (await voice.rest('GET', `/api/stories?sort=${path.join('.')}:desc`)).outcome, expected);
    compare(`graphql sort ${path.join('.')}`, (await voice.graphql('query($sort: [String]) { done: stories(sort: $sort) { documentId } }', { sort: [`${path.join('.')}:desc`] })).outcome, expected);
  }
};

/** The same below a relation: in the list of a shelf. */
const below = async ({ library, caller, voice, compare }: Visit): Promise<void> => {
  const door = entrance(caller, 'shelf', 'find');
  if (door !== 'ok' || ruleOf(caller, 'story', 'find') === null) return;
  const visible = [library.stories.ann, library.stories.bob].filter((doc) => covers(caller, ruleOf(caller, 'story', 'find'), doc));
  for (const path of PATHS) {
    const expected = mayName(caller, path, false) ? 'ok' : 'invalid';
    compare(`below filter ${path.join('.')}`, (await voice.rest('GET', `/api/shelves?populate[stories][${restFilter(path, '-', false).replace('filters', 'filters]')}`)).outcome, expected);
    const listed = await voice.graphql('query($filters: StoryFiltersInput) { done: shelves { stories(filters: $filters) { documentId } stories_connection(filters: $filters) { nodes { documentId } } } }', { filters: graphqlFilter(path, '-', false) });
    compare(`graphql below filter ${path.join('.')}`, listed.outcome, expected);
    const sorted = mayName(caller, path, true) ? 'ok' : 'invalid';
    compare(`below sort ${path.join('.')}`, (await voice.rest('GET', `/api/shelves?populate[stories][sort]=${path.join('.')}`)).outcome, sorted);
    compare(`graphql below sort ${path.join('.')}`, (await voice.graphql('query($sort: [String]) { done: shelves { stories(sort: $sort) { documentId } } }', { sort: [path.join('.')] })).outcome, sorted);
  }
  const counted = await voice.rest('GET', '/api/shelves?populate[stories][count]=true');
  compare('counted below', JSON.stringify(counted.body).includes(`"stories":{"count":${visible.length}}`), true);
};

export async function checkProbing(visit: Visit): Promise<void> {
  await filtering(visit);
  await sorting(visit);
  await below(visit);
}
