/**
 * Requests whose response, SQL and number of statements are stored together, so that a diff shows each
 * additional statement.
 */
export const GOLDEN_REQUESTS: Readonly<Record<string, string>> = {
  'one-document': '/api/articles/{{a1}}',
  'one-draft': '/api/articles/{{a1}}?status=draft',
  'missing-document': '/api/articles/nothing',
  'single-type': '/api/homepage?populate=*',
  'plain-list': '/api/tags',
  'list-without-count': '/api/tags?pagination[withCount]=false',
  'second-page': '/api/articles?pagination[page]=2&pagination[pageSize]=1&fields=title',
  'offset-page': '/api/articles?pagination[start]=1&pagination[limit]=1&fields=title',
  'first-page-by-cursor': '/api/articles?sort=title:desc&pagination[after]=&pagination[limit]=1&fields=title',
  'page-by-cursor':
    '/api/articles?sort=title:desc&pagination[after]={{cursor}}&pagination[limit]=1&fields=title',
  'sorted-by-relation': '/api/articles?sort=author.name:desc,title&fields=title',
  'filter-scalars': '/api/articles?filters[title][$containsi]=FIRST&filters[views][$gte]=1&fields=title',
  'filter-relation': '/api/articles?filters[author][name][$eq]=Ada&fields=title',
  'filter-deep-relation': '/api/authors?filters[articles][tags][name][$in][0]=red&fields=name',
  'filter-component': '/api/articles?filters[seo][metaTitle][$startsWith]=Fi&fields=title',
  'filter-not': '/api/articles?filters[$not][author][name][$eq]=Ada&fields=title',
  'filter-or': '/api/articles?filters[$or][0][views][$lt]=5&filters[$or][1][tags][name]=red&fields=title',
  aggregate:
    '/api/articles/aggregate?count&sum[views]&groupBy[author]&sort=sum.views:desc&filters[tags][name]=red',
  'populate-to-one': '/api/articles?populate=author&fields=title',
  'populate-to-many': '/api/articles?populate[tags][fields]=name&fields=title',
  'populate-inverse': '/api/authors?populate[articles][fields]=title&fields=name',
  'populate-count': '/api/tags?populate[articles][count]=true&fields=name',
  'populate-filtered':
    '/api/articles?populate[tags][filters][name]=red&populate[tags][sort]=name:desc&fields=title',
  'populate-components':
    '/api/articles?populate[seo][populate]=*&populate[links][populate][tag][fields]=name&fields=title',
  'populate-zone':
    '/api/articles?populate[sections][on][sections.related][populate][tags][fields]=name' +
    '&populate[sections][on][sections.quote]=true&fields=title',
  'populate-star': '/api/articles/{{a1}}?populate=*',
  'populate-three-levels':
    '/api/articles?fields=title&populate[author][populate][articles][populate][tags][fields]=name',
  localizations: '/api/articles/{{a1}}?populate=localizations&fields=title',
  'every-locale': '/api/articles?locale=*&fields=title&sort=locale,title',
  'has-published-version': '/api/articles?status=draft&hasPublishedVersion=false&fields=title',
  refused: '/api/articles?filters[nope]=1',
};

/** The writes before the requests, in order: method, path, body, and the alias of the new documentId. */
export const GOLDEN_CONTENT: readonly (readonly [
  method: string,
  path: string,
  data: Readonly<Record<string, unknown>>,
  alias?: string,
])[] = [
  ['POST', '/api/tags', { name: 'red', weight: 3 }, 't1'],
  ['POST', '/api/tags', { name: 'green' }, 't2'],
  ['POST', '/api/authors', { name: 'Ada', age: 36 }, 'au1'],
  ['POST', '/api/authors', { name: 'Bob' }, 'au2'],
  ['POST', '/api/categories', { name: 'Science' }, 'c1'],
  [
    'POST',
    '/api/articles',
    {
      title: 'First',
      views: 7,
      author: '{{au1}}',
      category: '{{c1}}',
      tags: ['{{t2}}', '{{t1}}'],
      seo: { metaTitle: 'First of all', social: [{ network: 'bluesky', handle: '@first' }] },
      links: [{ label: 'red things', tag: '{{t1}}' }],
      sections: [
        { __component: 'sections.quote', text: 'So it goes' },
        { __component: 'sections.related', heading: 'More', tags: ['{{t1}}', '{{t2}}'] },
      ],
    },
    'a1',
  ],
  [
    'POST',
    '/api/articles',
    { title: 'Second', author: '{{au2}}', tags: ['{{t1}}'], related: ['{{a1}}'] },
    'a2',
  ],
  ['POST', '/api/articles?status=draft', { title: 'Never published' }, 'a3'],
  ['PUT', '/api/articles/{{a1}}?locale=fr', { title: 'Premier' }],
  [
    'PUT',
    '/api/homepage',
    {
      headline: 'Welcome',
      featured: ['{{a2}}', '{{a1}}'],
      sections: [{ __component: 'sections.text', body: 'Hello' }],
    },
  ],
];
