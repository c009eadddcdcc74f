import { isRecord } from '../../../src/lib/records.js';
import type { ProjectLiteral } from '../../support/models.js';
import type { Api } from '../documents/service.js';

type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const relation = (kind: string, target: string, options: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...options,
});

export interface Ends {
  readonly article?: Attributes;
  readonly tag?: Attributes;
  readonly author?: Attributes;
}

/** Articles have drafts and locales, tags have drafts, authors have neither. */
export const project = ({ article = {}, tag = {}, author = {} }: Ends): ProjectLiteral => ({
  types: {
    article: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
        ...article,
      },
    },
    tag: { draftAndPublish: true, attributes: { name: { type: 'string' }, ...tag } },
    author: { attributes: { name: { type: 'string' }, ...author } },
  },
});

export interface Documents {
  readonly article: readonly string[];
  readonly tag: readonly string[];
  readonly author: readonly string[];
}

/** Three documents of each type. Those of the first two articles are in French as well. */
export const createDocuments = async (api: Api): Promise<Documents> => {
  const create = async (type: string, data: (index: number) => object): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.push((await api.create(type, data(index))).documentId);
    return ids;
  };
  const named = (index: number) => ({ name: `name ${index}` });
  const [tag, author] = [await create('tag', named), await create('author', named)];
  const article = await create('article', (index) => ({ title: `title ${index}` }));
  for (const documentId of article.slice(0, 2))
    await api.update('article', documentId, { title: 'titre' }, { locale: 'fr' });
  return { article, tag, author };
};

export const at = (ids: readonly string[], ...indexes: readonly number[]): readonly string[] =>
  indexes.map((index) => ids[index] ?? '');

const idOf = (value: unknown): unknown =>
  isRecord(value)
    ? value['__type'] === undefined
      ? value['documentId']
      : [value['__type'], value['documentId']]
    : value;

/** The targets of an attribute in all versions of a document: `en draft`, `fr published`. */
export const readLinks = async (
  api: Api,
  type: keyof Documents,
  documentId: string,
  attribute: string,
  populate: object = { fields: ['documentId'] },
): Promise<Readonly<Record<string, unknown>>> => {
  const versions: Record<string, unknown> = {};
  for (const locale of type === 'article' ? ['en', 'fr'] : [''])
    for (const status of type === 'author' ? ['published'] : ['draft', 'published']) {
      const record = await api.one(type, documentId, {
        status,
        ...(locale === '' ? {} : { locale }),
        populate: { [attribute]: populate },
      });
      if (record === null) continue;
      const value = record[attribute];
      versions[`${locale} ${status}`.trim()] = Array.isArray(value) ? value.map(idOf) : idOf(value);
    }
  return versions;
};
