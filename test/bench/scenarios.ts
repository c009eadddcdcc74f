/** The measured requests, in the order of the report. `{id}` stands for a documentId. */
export interface Scenario {
  readonly name: string;
  readonly path: string;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'one document', path: '/api/articles/{id}' },
  { name: 'page of 25, counted', path: '/api/articles?sort=title' },
  { name: 'page of 25, not counted', path: '/api/articles?sort=title&pagination[withCount]=false' },
  { name: 'page of 25, unsorted', path: '/api/articles?pagination[withCount]=false' },
  {
    name: 'two relations populated',
    path: '/api/articles?pagination[withCount]=false&populate[0]=author&populate[1]=category',
  },
  { name: 'populate=*', path: '/api/articles?pagination[withCount]=false&populate=*' },
  {
    name: 'three levels deep',
    path:
      '/api/articles?pagination[withCount]=false&fields=title' +
      '&populate[author][populate][articles][fields]=title' +
      '&populate[author][populate][articles][populate][tags][fields]=name',
  },
  {
    name: 'filter on a relation',
    path: '/api/articles?pagination[withCount]=false&filters[author][name][$eq]=Author 7',
  },
];
