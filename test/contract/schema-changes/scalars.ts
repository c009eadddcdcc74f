import { add, edits, remove, retype } from './support/edits.js';
import { converted, dropped, invalid, unfinished } from './support/effects.js';
import { change, inTypeAndComponent, joinedRows, removal } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

const WHOLE = /^-?\d+$/;

const whole = (text: string): number | undefined => (WHOLE.test(text) ? Number(text) : undefined);

const INT32 = 2 ** 31;

const paragraph = (text: string): unknown => [{ type: 'paragraph', children: [{ type: 'text', text }] }];

const never = (): boolean => false;

/** The rows for a content-type or a component whose values are all converted. */
const convertedRowsOf = (owner: string): readonly SchemaChange[] => {
  const to = (name: string, type: string) => retype(owner, name, { type });
  return [
    change(`${owner}: whole numbers in text to integer`, to('wholeText', 'integer'), [
      converted(owner, 'wholeText', Number),
    ]),
    change(`${owner}: whole numbers in text to biginteger`, to('wholeText', 'biginteger'), [
      converted(owner, 'wholeText', String),
    ]),
    change(`${owner}: numbers in text to float`, to('fractionText', 'float'), [
      converted(owner, 'fractionText', Number),
    ]),
    change(`${owner}: numbers in text to decimal`, to('wholeText', 'decimal'), [
      converted(owner, 'wholeText', Number),
    ]),
    change(`${owner}: true and false in text to boolean`, to('flagText', 'boolean'), [
      converted(owner, 'flagText', (text: string) => text === 'true'),
    ]),
    change(`${owner}: moments in text to datetime`, to('momentText', 'datetime'), [
      converted(owner, 'momentText', String),
    ]),
    change(`${owner}: dates in text to datetime`, to('dayText', 'datetime'), [
      converted(owner, 'dayText', (text: string) => `${text}T00:00:00.000Z`),
    ]),
    change(`${owner}: date to datetime`, to('day', 'datetime'), [
      converted(owner, 'day', (text: string) => `${text}T00:00:00.000Z`),
    ]),
    change(`${owner}: integer to string`, to('rank', 'string'), [converted(owner, 'rank', String)]),
    change(`${owner}: integer to biginteger`, to('rank', 'biginteger'), [converted(owner, 'rank', String)]),
    change(`${owner}: integer to decimal`, to('rank', 'decimal'), [converted(owner, 'rank', Number)]),
    change(`${owner}: whole numbers in float to integer`, to('wholeScore', 'integer'), [
      converted(owner, 'wholeScore', Number),
    ]),
    change(`${owner}: decimal to string`, to('price', 'string'), [converted(owner, 'price', String)]),
    change(`${owner}: biginteger to string`, to('views', 'string'), [converted(owner, 'views', String)]),
    change(`${owner}: boolean to string`, to('featured', 'string'), [converted(owner, 'featured', String)]),
    change(`${owner}: boolean to integer`, to('featured', 'integer'), [converted(owner, 'featured', Number)]),
    change(`${owner}: 0 and 1 to boolean`, to('bit', 'boolean'), [converted(owner, 'bit', Boolean)]),
    change(`${owner}: datetime to string`, to('starts', 'string'), [converted(owner, 'starts', String)]),
    change(`${owner}: string to json`, to('title', 'json'), [converted(owner, 'title', String)]),

    change(`${owner}: boolean to decimal`, to('featured', 'decimal'), [converted(owner, 'featured', Number)]),
    change(`${owner}: richtext to blocks`, to('body', 'blocks'), [converted(owner, 'body', paragraph)]),
    change(`${owner}: string to blocks`, to('title', 'blocks'), [converted(owner, 'title', paragraph)]),
    change(`${owner}: json to text`, to('extra', 'text'), [converted(owner, 'extra', JSON.stringify)]),
  ];
};

/** The rows for a content-type or a component in which some values, or all, do not fit. */
const refusedRowsOf = (owner: string): readonly SchemaChange[] => {
  const to = (name: string, type: string) => retype(owner, name, { type });
  return [
    // Converted in part.
    change(`${owner}: text of which some are numbers to integer`, to('mixedText', 'integer'), [
      converted(owner, 'mixedText', whole),
    ]),
    change(`${owner}: biginteger beyond 32 bits to integer`, to('views', 'integer'), [
      converted(owner, 'views', (text: string) => (Number(text) < INT32 ? Number(text) : undefined)),
    ]),
    change(`${owner}: fractions to integer`, to('price', 'integer'), [
      converted(owner, 'price', (value: number) => (Number.isInteger(value) ? value : undefined)),
    ]),
    change(`${owner}: text without numbers to decimal`, to('title', 'decimal'), [dropped(owner, 'title')]),
    change(`${owner}: text without moments to datetime`, to('title', 'datetime'), [dropped(owner, 'title')]),
    change(`${owner}: text without dates to date`, to('title', 'date'), [invalid(owner, 'title', never)]),
    change(`${owner}: moments in text to date`, to('momentText', 'date'), [
      invalid(owner, 'momentText', never),
    ]),
    change(`${owner}: text without times to time`, to('title', 'time'), [invalid(owner, 'title', never)]),
    change(`${owner}: datetime with a time of day to date`, to('starts', 'date'), [dropped(owner, 'starts')]),
    change(`${owner}: time to datetime`, to('alarm', 'datetime'), [dropped(owner, 'alarm')]),
    change(`${owner}: integers other than 0 and 1 to boolean`, to('rank', 'boolean'), [
      converted(owner, 'rank', (value: number) => (value === 0 || value === 1 ? value === 1 : undefined)),
    ]),
    change(`${owner}: json to integer`, to('extra', 'integer'), [dropped(owner, 'extra')]),
    change(`${owner}: blocks to richtext`, to('content', 'richtext'), [dropped(owner, 'content')]),
    change(`${owner}: blocks to string`, to('content', 'string'), [dropped(owner, 'content')]),
    change(`${owner}: string to password`, to('title', 'password'), [dropped(owner, 'title')]),
    change(`${owner}: password to string`, to('secret', 'string'), [dropped(owner, 'secret')]),

    // Invalid: the values stay.
    change(`${owner}: text without addresses to email`, to('title', 'email'), [
      unfinished(owner, 'title', never),
    ]),
    change(`${owner}: text with spaces to uid`, to('title', 'uid'), [
      unfinished(owner, 'title', (text: string) => !text.includes(' ')),
    ]),
    change(`${owner}: json without blocks to blocks`, to('extra', 'blocks'), [
      invalid(owner, 'extra', never),
    ]),
    change(
      `${owner}: string to enumeration, which lacks a value`,
      retype(owner, 'choiceText', { type: 'enumeration', enum: ['red', 'green'] }),
      [invalid(owner, 'choiceText', (text: string) => text !== 'blue')],
    ),

    // Dropped.
    removal(`${owner}: an attribute removed`, remove(owner, 'title'), [dropped(owner, 'title')]),
    removal(`${owner}: blocks removed`, remove(owner, 'content'), [dropped(owner, 'content')]),
    removal(`${owner}: json removed`, remove(owner, 'extra'), [dropped(owner, 'extra')]),
    removal(`${owner}: a password removed`, remove(owner, 'secret'), [dropped(owner, 'secret')]),
    removal(
      `${owner}: many attributes removed at once`,
      remove(owner, 'summary', 'handle', 'colour', 'rank', 'views', 'price', 'featured', 'day', 'starts'),
      ['summary', 'handle', 'colour', 'rank', 'views', 'price', 'featured', 'day', 'starts'].map((name) =>
        dropped(owner, name),
      ),
    ),
    change(
      `${owner}: an attribute replaced by another`,
      edits(remove(owner, 'summary'), add(owner, 'abstract', { type: 'text' })),
      [dropped(owner, 'summary')],
    ),
  ];
};

export const SCALAR_CHANGES = [
  ...joinedRows(inTypeAndComponent(convertedRowsOf)),
  ...inTypeAndComponent(refusedRowsOf),
];
