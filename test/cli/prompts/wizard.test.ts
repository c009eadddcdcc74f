import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import ComponentAdd from '../../../src/commands/component/add.js';
import FieldAdd from '../../../src/commands/field/add.js';
import New from '../../../src/commands/new.js';
import TypeAdd from '../../../src/commands/type/add.js';
import { answerAll, DOWN } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import type { FakeTerminal } from '../support/fake-terminal.js';
import { typeFile } from '../support/migrated-project.js';
import { runOn } from '../support/run-command.js';
import { createTempFolder, createTempProject } from '../support/temp-project.js';

const ESCAPE = '\u001B';
const CTRL_C = '\u0003';
const CLEAR_LINE = '\u0015';

type Answers = readonly (readonly [question: string, keys: string])[];

interface Result {
  readonly terminal: FakeTerminal;
  readonly exitCode: number;
  /** The lines that would be written. */
  readonly written: readonly string[];
}

/** Answers the questions of a command that only shows what it would write. */
const answer = async (
  command: Parameters<typeof runOn>[1],
  argv: readonly string[],
  answers: Answers,
): Promise<Result> => {
  const { root } = createTempProject({ ...typeFile('tag'), ...typeFile('news-item') });
  const terminal = createFakeTerminal({ cwd: root, tty: true, env: { NO_COLOR: '1' } });
  const done = runOn(terminal, command, [...argv, '--dry-run', '--no-migrate']);
  await answerAll(terminal, answers);
  const exitCode = await done;
  const written = terminal
    .out()
    .split('\n')
    .filter((line) => line.startsWith('+'))
    .map((line) => line.slice(1).trim());
  return { terminal, exitCode, written };
};

const OPTIONS: Answers = [
  ['Kind', '\r'],
  ['Enable drafts and publishing?', '\r'],
  ['Enable several languages?', '\r'],
];
const SAVE: Answers = [
  ['Next attribute', '\r'],
  ['Review', '\r'],
];
const attribute = (question: string, name: string, type: string): Answers => [
  [question, `${name}\r`],
  ['Type', `${type}\r`],
  ['Options', '\r'],
];

describe('Escape', () => {
  it('goes back a question, which proposes the earlier answer', async () => {
    const { terminal, exitCode, written } = await answer(
      TypeAdd,
      [],
      [
        ['Name of the content-type', 'Recipe\r'],
        ['Plural, as in the URL', 'recipies\r'],
        ['Kind', ESCAPE],
        ['(recipies)', 'recipes\r'],
        ...OPTIONS,
        ...attribute('First attribute', 'title', 'text'),
        ['Next attribute', ESCAPE],
        ['Options', ' \r'],
        ...SAVE,
      ],
    );
    expect(exitCode).toBe(0);
    expect(written).toContain('"pluralName": "recipes",');
    expect(written.join(' ')).toContain('"title": { "type": "text", "required": true }');
    // The line of the answer that is taken back.
    expect(terminal.err()).toContain('\u001B[1A\r\u001B[2K');
    expect(terminal.err()).toContain('Esc goes back one question. Ctrl-C cancels; nothing is written');
  });
});

describe('Ctrl-C', () => {
  it('says what is thrown away', async () => {
    const { terminal, exitCode } = await answer(
      TypeAdd,
      ['Recipe'],
      [
        ...OPTIONS,
        ...attribute('First attribute', 'title', 'string'),
        ...attribute('Next attribute', 'cooked', 'date'),
        ['Next attribute', CTRL_C],
      ],
    );
    expect(exitCode).toBe(130);
    expect(terminal.err()).toContain(
      'Nothing was written. Discarded: the content-type recipe with title, cooked.\n',
    );
  });

  it('reports it in a new project, too, and prints nothing before the first answer', async () => {
    const terminal = createFakeTerminal({ cwd: createTempFolder(), tty: true, env: { NO_COLOR: '1' } });
    const done = runOn(terminal, New, []);
    await answerAll(terminal, [
      ['Folder', 'site\r'],
      ['Start with', CTRL_C],
    ]);
    expect(await done).toBe(130);
    expect(terminal.err()).toContain('Nothing was written. Discarded: the project site.\n');
  });
});

describe('Ctrl-D', () => {
  it('is Ctrl-C on an empty line, and deletes a character in others', async () => {
    const terminal = createFakeTerminal({ cwd: createTempFolder(), tty: true, env: { NO_COLOR: '1' } });
    const done = runOn(terminal, New, []);
    await answerAll(terminal, [
      ['Folder', 'site\u0004\r'],
      ['Start with', '\u0004'],
    ]);
    expect(await done).toBe(130);
    expect(terminal.err()).toContain('Nothing was written. Discarded: the project site.\n');
  });
});

describe('names', () => {
  it('are checked when they are typed', async () => {
    const { exitCode, written } = await answer(
      TypeAdd,
      [],
      [
        ['Name of the content-type', 'sheep!\r'],
        ['Use letters, digits, spaces and -', `${CLEAR_LINE}Tag\r`],
        ['There is already a content-type tag', `${CLEAR_LINE}sheep\r`],
        ['Plural, as in the URL', 'tags\r'],
        ['There is already a content-type tags', `${CLEAR_LINE}\r`],
        ...OPTIONS,
        ['First attribute', 'created at\r'],
        ['Use letters, digits and _', `${CLEAR_LINE}createdAt\r`],
        ['createdAt is reserved', `${CLEAR_LINE}\r`],
        ['Review', '\r'],
      ],
    );
    expect(exitCode).toBe(0);
    expect(written).toContain('"singularName": "sheep",');
  });

  it('of components, too', async () => {
    const { exitCode } = await answer(
      ComponentAdd,
      [],
      [
        ['Category and name', 'seo\r'],
        ['it must have the form category.name', `${CLEAR_LINE}shared.seo\r`],
        ['First attribute', '\r'],
        ['Review', '\r'],
      ],
    );
    expect(exitCode).toBe(0);
  });

  it('given as an argument are refused before any question', async () => {
    const { terminal, exitCode } = await answer(TypeAdd, ['tag'], []);
    expect(exitCode).toBe(1);
    expect(terminal.err()).toMatch(/^Error: There is already a content-type tag/);
  });
});

describe('the list of attribute types', () => {
  it('has groups, says that more follow, and is searched by typing what a type is for', async () => {
    const { terminal, written } = await answer(
      FieldAdd,
      ['tag'],
      [
        ['Next attribute', 'body\r'],
        ['↓ 10 more', 'markdown\r'],
        ['Options', '\r'],
        ['Next attribute', 'weight\r'],
        ['Type', `${DOWN.repeat(19)}`],
        ['↑ 10 more', 'zzz'],
        ['No matches.', `${CLEAR_LINE}integer\r`],
        ['Options', '\r'],
        ...SAVE,
      ],
    );
    expect(stripVTControlCharacters(terminal.err())).toMatch(/^ Text\n❯ string +One line\.$/m);
    expect(written.join(' ')).toMatch(/"body": \{ "type": "richtext" \}, "weight": \{ "type": "integer"/);
  });
});

describe('a relation', () => {
  it('reads as a sentence, and its target may be made', async () => {
    const { terminal, exitCode, written } = await answer(
      FieldAdd,
      ['news-item'],
      [
        ['Next attribute', 'author\r'],
        ['Type', 'relation\r'],
        ['Target type', 'a new\r'],
        ['Name of the new type', 'News Item\r'],
        ['There is already a type news-item', `${CLEAR_LINE}Author\r`],
        ['Its plural', '\r'],
        ['Its first attribute', '\r'],
        ['Enable drafts and publishing for authors?', '\r'],
        ['Kind of relation', '\r'],
        ['Add the inverse relation to author?', '\r'],
        ['Name of the inverse relation in author', 'name\r'],
        ['author has name already', `${CLEAR_LINE}\r`],
        ['Options', '\r'],
        ...SAVE,
      ],
    );
    expect(exitCode).toBe(0);
    for (const sentence of [
      'Many news items belong to one author',
      'One news item has many authors',
      'Many news items belong to many authors',
      'One news item belongs to one author',
    ])
      expect(terminal.err()).toContain(sentence);
    expect(terminal.err()).toContain('new type author (authors), name: string');
    expect(written).toContain('"singularName": "author",');
    expect(written).toContain('"target": "api::author.author",');
    expect(written).toContain('"newsItems": {');
  });
});

describe('the review', () => {
  it('edits, removes, adds and saves', async () => {
    const { terminal, written } = await answer(
      FieldAdd,
      ['tag'],
      [
        ...attribute('Next attribute', 'label', 'string'),
        ['Next attribute', 'slug\r'],
        ['Type', 'uid\r'],
        ['Generate from', `${DOWN}\r`],
        ['Options', '\r'],
        ...attribute('Next attribute', 'weight', 'integer'),
        ['Next attribute', '\r'],
        ['Review', 'edit label\r'],
        ['Name', 'heading\r'],
        ['Type', 'text\r'],
        ['Options', ' \r'],
        ['Review', 'remove weight\r'],
        ['Review', 'add\r'],
        ...attribute('Next attribute', 'size', 'integer'),
        ['Review', '\r'],
      ],
    );
    expect(terminal.err()).toContain(
      '  heading: text, required\n  slug: uid, targetField heading, generate\n',
    );
    expect(written.join(' ')).toContain(
      '"heading": { "type": "text", "required": true }, ' +
        '"slug": { "type": "uid", "targetField": "heading", "generate": true }, "size": { "type": "integer"',
    );
    expect(written.join(' ')).not.toContain('weight');
  });
});
