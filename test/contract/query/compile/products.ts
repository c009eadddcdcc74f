import type { ProjectLiteral } from '../../../support/models.js';
import type { TestEnvironment } from '../../../support/test-environment.js';

export const PRODUCT = 'api::product.product';
export const ROWS = 3000;

export const PRODUCTS_MODEL: ProjectLiteral = {
  types: {
    product: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', index: true },
        code: { type: 'string', unique: true },
        price: { type: 'integer', index: true },
        weight: { type: 'float' },
        width: { type: 'integer' },
        height: { type: 'integer', index: true },
        maker: { type: 'relation', relation: 'manyToOne', target: 'api::maker.maker' },
        labels: { type: 'relation', relation: 'manyToMany', target: 'api::label.label' },
      },
      indexes: [{ name: 'products_size', columns: ['width', 'height'] }],
    },
    maker: { attributes: { name: { type: 'string', index: true } } },
    label: { attributes: { name: { type: 'string', unique: true } } },
  },
};

export interface Product {
  readonly id: number;
  readonly title: string | null;
  readonly code: string;
  readonly price: number;
}

/** Titles repeat, begin alike and hold what sorts differently by language; every tenth is missing. */
const WORDS = ['apple', 'Apple', 'äpfel', 'zebra', 'Zoo', 'zoo\u{1F600}', 'a_b', 'a%b'];
export const titleOf = (i: number): string | null => (i % 10 === 0 ? null : `${WORDS[i % 8]} ${i % 97}`);

const productOf = (i: number): Product => ({
  id: i,
  title: titleOf(i),
  code: `P-${i}`,
  price: (i * 31) % 500,
});

/** Of the first there are more than a page is sorted from, of the second few. */
const [MAKERS, LABELS] = [
  ['large', 'small'],
  ['common', 'rare'],
];
export const makerOf = (id: number): string => (id % 40 === 0 ? 'small' : 'large');
export const labelsOf = (id: number): readonly string[] => [
  ...(id % 2 === 0 ? ['common'] : []),
  ...(id % 90 === 0 ? ['rare'] : []),
];

const fillTargets = async ({ database, model }: TestEnvironment): Promise<void> => {
  const at = new Date(Date.UTC(2026, 0, 1));
  const times = { createdAt: at, updatedAt: at, publishedAt: at };
  await database.transact(async (tx) => {
    for (const [uid, names] of [
      ['api::maker.maker', MAKERS],
      ['api::label.label', LABELS],
    ] as const) {
      const { document, version } = model.typesByUid[uid]?.storage ?? {};
      const data = (names ?? []).map((name) => ({ documentId: name }));
      await tx.model(document?.model ?? '').createMany({ data });
      await tx.model(version?.model ?? '').createMany({
        data: data.map(({ documentId }) => ({
          documentId,
          name: documentId,
          locale: '',
          status: 'published',
          ...times,
        })),
      });
    }
  });
};

export const fill = async (testEnvironment: TestEnvironment): Promise<readonly Product[]> => {
  const { database, model } = testEnvironment;
  await fillTargets(testEnvironment);
  const { document, version } = model.typesByUid[PRODUCT]?.storage ?? {};
  const products = Array.from({ length: ROWS }, (_, i) => productOf(i + 1));
  const at = (i: number): Date => new Date(Date.UTC(2026, 0, 1) + (i % 1000) * 60_000);
  await database.transact(async (tx) => {
    await tx.model(document?.model ?? '').createMany({
      data: products.map(({ code }) => ({ documentId: code })),
    });
    await tx.model(version?.model ?? '').createMany({
      data: products.map(({ id, title, code, price }) => ({
        id,
        documentId: code,
        locale: '',
        status: 'published',
        createdAt: at(id),
        updatedAt: at(id),
        publishedAt: at(id),
        title,
        code,
        price,
        weight: price / 3,
        width: price % 7,
        height: price % 11,
        makerDocumentId: makerOf(id),
      })),
    });
    for (const label of LABELS ?? []) {
      const ids = products.map(({ id }) => id).filter((id) => labelsOf(id).includes(label));
      const rows = ids.map((id) => `(${id}, '${label}', 1)`).join(', ');
      await tx.execute(
        `INSERT INTO "products_labels_links" ("source_id", "target_document_id", "position") VALUES ${rows}`,
        [],
      );
    }
  });
  return products;
};

export const byCodePoint = (left: string | null, right: string | null): number =>
  Buffer.compare(Buffer.from(left ?? ''), Buffer.from(right ?? ''));
