import type { BaselineStatement } from './baseline-statements.js';
import { documentIdOf } from './fill-statements.js';

/** What the hand-written server does for the same answer. */
interface Ceiling {
  readonly statement: BaselineStatement;
  readonly parameters?: readonly string[];
  readonly isCounted?: boolean;
  /** True if the statement reads from the end. */
  readonly isReversed?: boolean;
}

/** A measured request. */
export interface Scenario {
  readonly name: string;
  /** Of the REST API. For a GraphQL query, the same data: what it is compared with. */
  readonly path: string;
  readonly graphql?: string;
  readonly ceiling?: Ceiling;
  /**
   * Each request asks for another part, which takes the place of `{start}`: of what may be cached, only
   * the total serves it.
   */
  readonly isVaried?: boolean;
  /** Counts the articles with so many views anew, which takes as long as there are such articles. */
  readonly countedViews?: number;
}

const PAGE = '/api/articles?pagination[withCount]=false';
const NAMES =
  '&fields=title&populate[author][fields]=name&populate[category][fields]=name&populate[tags][fields]=name';

/** Those with a counterpart by hand, and one that needs a full-text index. */
export const comparedScenarios = (size: number): readonly Scenario[] => {
  const id = documentIdOf('article', Math.floor(size / 2));
  return [
    { name: 'one document', path: `/api/articles/${id}`, ceiling: { statement: 'one', parameters: [id] } },
    {
      name: 'page of 25, counted',
      path: '/api/articles?sort=title',
      ceiling: { statement: 'sorted', isCounted: true },
    },
    { name: 'page of 25, not counted', path: `${PAGE}&sort=title`, ceiling: { statement: 'sorted' } },
    { name: 'page of 25, unsorted', path: PAGE, ceiling: { statement: 'listed' } },
    {
      name: 'last page',
      path: `/api/articles?sort=title&pagination[page]=${size / 25}`,
      ceiling: { statement: 'last', isCounted: true, isReversed: true },
    },
    {
      name: 'two relations populated',
      path: `${PAGE}&populate[0]=author&populate[1]=category`,
      ceiling: { statement: 'twoRelations' },
    },
    { name: 'populate=*', path: `${PAGE}&populate=*`, ceiling: { statement: 'everything' } },
    {
      name: 'three levels deep',
      path:
        `${PAGE}&fields=title&populate[author][populate][articles][fields]=title` +
        '&populate[author][populate][articles][populate][tags][fields]=name',
      ceiling: { statement: 'deep' },
    },
    {
      name: 'filter on a relation',
      path: `${PAGE}&filters[author][name][$eq]=Author 7`,
      ceiling: { statement: 'byAuthor', parameters: ['Author 7'] },
    },
    { name: '$containsi by views', path: `${PAGE}&filters[title][$containsi]=00000500&sort=views` },
    {
      name: 'GraphQL list',
      path: `${PAGE}&fields=title&fields=slug&fields=views`,
      graphql: '{ articles(pagination: {limit: 25}) { documentId title slug views } }',
    },
    {
      name: 'GraphQL, three relations',
      path: PAGE + NAMES,
      graphql:
        '{ articles(pagination: {limit: 25}) { title author { name } category { name } tags { name } } }',
    },
  ];
};

/** Reads whose plan depends on which index is taken. They have no counterpart by hand. */
const planned = (size: number): readonly Scenario[] => [
  {
    name: 'counted, total cached',
    path: '/api/articles?sort=title&pagination[start]={start}&pagination[limit]=25',
    isVaried: true,
  },
  { name: 'populate=*, sorted', path: `${PAGE}&sort=title&populate=*` },
  { name: '$eq by title', path: `${PAGE}&filters[views][$eq]=7&sort=title` },
  { name: 'wide range by title', path: `${PAGE}&filters[views][$gte]=${size / 1000}&sort=title` },
  {
    name: '  total cached',
    path:
      `/api/articles?filters[views][$gte]=${size / 1000}&sort=title` +
      '&pagination[start]={start}&pagination[limit]=25',
    isVaried: true,
  },
  { name: '$in by title', path: `${PAGE}&filters[views][$in][0]=7&filters[views][$in][1]=8&sort=title` },
  // One article, by letters that few have three of in a row; all articles, and none.
  {
    name: '$containsi by views, rare',
    path: `${PAGE}&filters[title][$containsi]=${String(size * 0.731).padStart(8, '0')}&sort=views`,
  },
  { name: '$containsi by views, all', path: `${PAGE}&filters[title][$containsi]=article&sort=views` },
  { name: '$containsi by views, none', path: `${PAGE}&filters[title][$containsi]=article 99&sort=views` },
  { name: '$containsi, all', path: `${PAGE}&filters[title][$containsi]=article` },
  {
    name: '$containsi, drafts by views',
    path: `${PAGE}&status=draft&filters[title][$containsi]=00000500&sort=views`,
  },
  // There are fewer authors, and all texts of theirs are in the full-text index.
  { name: '_q by name', path: '/api/authors?pagination[withCount]=false&_q=author49@&sort=name' },
  { name: '_q by name, all', path: '/api/authors?pagination[withCount]=false&_q=author&sort=name' },
  { name: 'two sort keys', path: `${PAGE}&sort[0]=views:desc&sort[1]=title` },
  { name: 'filter on a large relation', path: `${PAGE}&filters[category][name][$eq]=Category 7` },
  { name: '  large relation by title', path: `${PAGE}&filters[category][name][$eq]=Category 7&sort=title` },
  { name: 'filter on an enumeration', path: `${PAGE}&filters[kind][$eq]=opinion&sort=title` },
  { name: 'drafts by title', path: `${PAGE}&status=draft&sort=title` },
  { name: 'publicationFilter', path: `${PAGE}&status=draft&publicationFilter=modified&sort=title` },
];

/**
 * Reads for which a larger site has more to do, however they are planned: what they find of a thousand
 * articles is another part of a million, or has to be counted.
 */
const growing = (size: number): readonly Scenario[] => [
  {
    name: 'wide range, counted anew',
    path: `/api/articles?filters[views][$gte]=${size / 1000}&sort=title`,
    countedViews: size / 1000,
  },
  {
    name: 'half, counted anew',
    path: `/api/articles?filters[views][$gte]=${size / 40}&sort=title`,
    countedViews: size / 40,
  },
  // SQLite sorts what a to-many relation finds, and both databases sort all locales.
  { name: 'narrow range by views', path: `${PAGE}&filters[title][$lt]=Article 00000100&sort=views` },
  { name: 'filter on a to-many', path: `${PAGE}&filters[tags][name][$eq]=tag-7` },
  { name: '  to-many by title', path: `${PAGE}&filters[tags][name][$eq]=tag-7&sort=title` },
  { name: 'locale=* by title', path: `${PAGE}&locale=*&sort=title` },
  { name: '  by cursor', path: '/api/articles?locale=*&sort=title&pagination[after]={cursor}' },
  // One article of a thousand, and a page of those of a million.
  { name: '$containsi, some', path: `${PAGE}&filters[title][$containsi]=500` },
  { name: '$containsi by views, some', path: `${PAGE}&filters[title][$containsi]=500&sort=views` },
  // All of a thousand articles, ten thousand of a million.
  { name: '$containsi by views, phrase', path: `${PAGE}&filters[title][$containsi]=article 0000&sort=views` },
  // One article. PostgreSQL looks at all that have three zeros in a row.
  { name: '$containsi by views, zeros', path: `${PAGE}&filters[title][$containsi]=00000000&sort=views` },
];

/** Requests whose costs are compared between sites of several sizes. */
export interface ScenarioGroups {
  /** They should cost the same at any size. */
  readonly steady: readonly Scenario[];
  readonly growing: readonly Scenario[];
}

/** Returns all measured requests to a site of that size, in the order of the report. */
export function scenariosFor(size: number): ScenarioGroups {
  return { steady: [...comparedScenarios(size), ...planned(size)], growing: growing(size) };
}
