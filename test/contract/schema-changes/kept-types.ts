import { add, option, retype } from './support/edits.js';
import { change, inTypeAndComponent, joinedRows } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

/** Types that store values alike, and limits that all values keep. */
const rowsOf = (owner: string): readonly SchemaChange[] => {
  const to = (name: string, type: string) => retype(owner, name, { type });
  return [
    change(`${owner}: string to text`, to('title', 'text')),
    change(`${owner}: string to richtext`, to('title', 'richtext')),
    change(`${owner}: text to string`, to('summary', 'string')),
    change(`${owner}: richtext to text`, to('body', 'text')),
    change(`${owner}: email to string`, to('contact', 'string')),
    change(`${owner}: uid to string`, to('handle', 'string')),
    change(`${owner}: enumeration to string`, to('colour', 'string')),
    change(`${owner}: date to string`, to('day', 'string')),
    change(`${owner}: time to string`, to('alarm', 'string')),
    change(`${owner}: float to decimal`, to('score', 'decimal')),
    change(`${owner}: decimal to float`, to('price', 'float')),
    change(`${owner}: datetime to timestamp`, to('starts', 'timestamp')),
    change(`${owner}: timestamp to datetime`, to('seen', 'datetime')),
    change(`${owner}: blocks to json`, to('content', 'json')),
    change(`${owner}: json to blocks, where all values are blocks`, to('blocksJson', 'blocks')),
    change(`${owner}: string to date, where all values are dates`, to('dayText', 'date')),
    change(`${owner}: string to time, where all values are times`, to('clockText', 'time')),
    change(`${owner}: string to email, where all values are addresses`, to('mailText', 'email')),
    change(`${owner}: string to uid, where all values can be in URLs`, to('slugText', 'uid')),
    change(
      `${owner}: string to enumeration, where it lists all values`,
      retype(owner, 'choiceText', { type: 'enumeration', enum: ['red', 'green', 'blue'] }),
    ),

    change(
      `${owner}: a limit that all values keep`,
      option(owner, 'title', { maxLength: 100, minLength: 2 }),
    ),
    change(`${owner}: a range that all values keep`, option(owner, 'rank', { min: -1000, max: 1000 })),
    change(`${owner}: a pattern that all values match`, option(owner, 'title', { regex: '^[A-Z]' })),
    change(
      `${owner}: an enumeration gains a value and changes their order`,
      option(owner, 'colour', { enum: ['blue', 'azure', 'green', 'red'] }),
    ),
    change(`${owner}: a new attribute`, add(owner, 'fresh', { type: 'string' })),
  ];
};

export const KEPT_CHANGES = joinedRows(inTypeAndComponent(rowsOf));
