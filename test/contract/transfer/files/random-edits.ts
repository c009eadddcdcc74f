import type { createRandom } from '../../../support/random.js';

export type Data = Readonly<Record<string, unknown>>;
type Random = ReturnType<typeof createRandom>;

/** A random change of one attribute. */
export interface Edit {
  readonly attribute: string;
  readonly description: string;
  readonly apply: (value: unknown) => unknown;
  /** True if a value contains the change. */
  readonly survives: (value: unknown) => boolean;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const asRecord = (value: unknown): Data => (typeof value === 'object' ? { ...value } : {});

const contains =
  (token: string) =>
  (value: unknown): boolean =>
    JSON.stringify(value ?? null).includes(token);

const replaceAt = (list: readonly unknown[], index: number, map: (item: unknown) => unknown) =>
  list.map((item, at) => (at === index ? map(item) : item));

/** Changes a line of a text: another one, a new one before it, or none. */
const editLines = (random: Random, token: string, attribute: string): Edit => {
  const line = Math.floor(random.next() * 6);
  const kind = random.pick(['change', 'insert', 'remove'] as const);
  const removed = `line ${line}`;
  const apply = (value: unknown): unknown => {
    const lines = String(value).split('\n');
    if (kind === 'insert') lines.splice(line, 0, token);
    if (kind === 'change') lines[line] = token;
    if (kind === 'remove') lines.splice(line, 1);
    return lines.join('\n');
  };
  const isRemoved = (value: unknown): boolean => !String(value).split('\n').includes(removed);
  return {
    attribute,
    description: `${attribute}: ${kind} line ${line} ${token}`,
    apply,
    survives: (value) =>
      (kind === 'remove' || contains(token)(value)) && (kind === 'insert' || isRemoved(value)),
  };
};

const paragraph = (text: string) => ({ type: 'paragraph', children: [{ type: 'text', text }] });

const editBlocks = (random: Random, token: string): Edit => {
  const index = Math.floor(random.next() * 4);
  return {
    attribute: 'blocks',
    description: `blocks: ${index} ${token}`,
    apply: (value) => replaceAt(asList(value), index, () => paragraph(token)),
    survives: contains(token),
  };
};

const editLinks = (random: Random, makers: readonly string[]): Edit => {
  const maker = random.pick(makers);
  const isAdded = !makers.slice(0, 3).includes(maker);
  return {
    attribute: 'makers',
    description: `makers: ${isAdded ? 'add' : 'remove'} ${maker}`,
    apply: (value) =>
      isAdded ? [...asList(value), maker] : asList(value).filter((other) => other !== maker),
    survives: (value) => asList(value).includes(maker) === isAdded,
  };
};

const editItems = (random: Random, token: string, attribute: 'cards' | 'zone'): Edit => {
  const index = Math.floor(random.next() * 3);
  const name = attribute === 'zone' ? 'text' : random.pick(['label', 'text']);
  const kind = random.pick(['change', 'change', 'add', 'swap'] as const);
  const added = attribute === 'zone' ? { __component: 'shared.note', text: token } : { label: token };
  const apply = (value: unknown): unknown => {
    const list = asList(value);
    if (kind === 'add') return [...list, added];
    if (kind === 'swap') return list.toReversed();
    return replaceAt(list, index, (item) => ({ ...asRecord(item), [name]: token }));
  };
  const isSwapped = (value: unknown): boolean => {
    const text = JSON.stringify(value ?? null);
    const [first, last] = ['kept 0', 'kept 2'].map((mark) => text.indexOf(mark));
    return (first ?? -1) > (last ?? -1);
  };
  return {
    attribute,
    description: `${attribute}: ${kind} ${index} ${name} ${token}`,
    apply,
    survives: kind === 'swap' ? isSwapped : contains(token),
  };
};

const setValue = (attribute: string, next: unknown): Edit => ({
  attribute,
  description: `${attribute}: ${JSON.stringify(next)}`,
  apply: () => next,
  survives: (value) => JSON.stringify(value) === JSON.stringify(next),
});

/** Returns random edits of different attributes. */
export function randomEdits(
  random: Random,
  {
    token,
    makers,
    isMain,
  }: { readonly token: string; readonly makers: readonly string[]; readonly isMain: boolean },
): readonly Edit[] {
  const number = Math.floor(random.next() * 1000) + 100;
  const edits = [
    setValue('title', `title ${token}`),
    editLines(random, token, 'text'),
    editLines(random, token, 'body'),
    editBlocks(random, token),
    setValue('data', { [token]: [1] }),
    setValue('maker', random.pick(makers.slice(1))),
    editLinks(random, makers),
    random.next() < 0.2
      ? setValue('card', null)
      : {
          attribute: 'card',
          description: `card: ${token}`,
          apply: (value: unknown) => ({ ...asRecord(value), [random.pick(['label', 'text'])]: token }),
          survives: contains(token),
        },
    editItems(random, token, 'cards'),
    editItems(random, token, 'zone'),
    // All locales share it, so that only one of them changes it.
    ...(isMain ? [setValue('price', number)] : []),
  ];
  return edits.filter(() => random.next() < 0.35);
}

const LINES = Array.from({ length: 7 }, (_, index) => `line ${index}`).join('\n');

/** The values of a document before the edits. */
export function initialData(makers: readonly string[]): Data {
  return {
    title: 'Title',
    text: LINES,
    body: LINES,
    blocks: [0, 1, 2, 3, 4].map((index) => paragraph(`block ${index}`)),
    data: { a: 1 },
    price: 1,
    maker: makers[0],
    makers: makers.slice(0, 3),
    card: { label: 'label', text: 'text' },
    cards: [0, 1, 2].map((index) => ({ label: `kept ${index}`, text: `kept ${index}` })),
    zone: [
      { __component: 'shared.note', text: 'kept 0 ' },
      { __component: 'shared.card', label: 'kept 1', text: 'kept 1' },
      { __component: 'shared.card', label: 'kept 2', text: 'kept 2' },
    ],
  };
}
