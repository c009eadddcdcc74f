import {
  createPrompt,
  isBackspaceKey,
  isDownKey,
  isEnterKey,
  isUpKey,
  makeTheme,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core';
import type { Status } from '@inquirer/core';
import stringWidth from 'string-width';
import { fitText } from '../terminal/text-layout.js';

export interface PickListChoice {
  readonly value: string;
  /** The displayed and searched text. */
  readonly name: string;
  readonly description?: string;
  /** The heading above it. Choices of one group must be adjacent. */
  readonly group?: string;
}

export interface PickListConfig {
  readonly message: string;
  readonly choices: readonly PickListChoice[];
  /** The initially selected value. */
  readonly default?: string | undefined;
}

interface Line {
  readonly text: string;
  /** The position of the choice in the list. Null for a heading. */
  readonly index: number | null;
}

const { style } = makeTheme();
const PAGE_SIZE = 12;
const KEYS = '↑↓ move • type to search • ⏎ choose';

/** Returns the rank of a match with the typed text: 0 is best. Null if it does not match. */
const rank = ({ name, description = '' }: PickListChoice, typed: string): number | null => {
  const text = name.toLowerCase();
  if (text === typed) return 0;
  if (text.startsWith(typed)) return 1;
  if (text.includes(typed)) return 2;
  return description.toLowerCase().includes(typed) ? 3 : null;
};

const search = (choices: readonly PickListChoice[], text: string): readonly PickListChoice[] => {
  const typed = text.trim().toLowerCase();
  if (typed === '') return choices;
  return choices
    .flatMap((choice) => {
      const place = rank(choice, typed);
      return place === null ? [] : [{ choice, place }];
    })
    .toSorted((left, right) => left.place - right.place)
    .map(({ choice }) => choice);
};

const layOut = (choices: readonly PickListChoice[], active: number, isGrouped: boolean): readonly Line[] => {
  const width = Math.max(0, ...choices.map(({ name }) => stringWidth(name)));
  return choices.flatMap((choice, index) => {
    const { name, group, description } = choice;
    const hasHeading = isGrouped && group !== undefined && group !== choices[index - 1]?.group;
    const label = description === undefined ? name : `${fitText(name, width)}  ${style.help(description)}`;
    const text = index === active ? style.highlight(`❯ ${label}`) : `  ${label}`;
    return [
      ...(hasHeading ? [{ text: style.message(` ${group}`, 'idle'), index: null }] : []),
      { text, index },
    ];
  });
};

const countChoices = (lines: readonly Line[]): number => lines.filter(({ index }) => index !== null).length;

/** Prints the lines around the selected one, and the numbers of choices above and below. */
const printPage = (lines: readonly Line[], active: number): string => {
  const at = lines.findIndex(({ index }) => index === active);
  const start = Math.max(0, Math.min(at - Math.floor(PAGE_SIZE / 2), lines.length - PAGE_SIZE));
  const [above, below] = [lines.slice(0, start), lines.slice(start + PAGE_SIZE)].map(countChoices);
  return [
    ...(above === 0 ? [] : [style.help(`  ↑ ${above} more`)]),
    ...lines.slice(start, start + PAGE_SIZE).map(({ text }) => text),
    ...(below === 0 ? [] : [style.help(`  ↓ ${below} more`)]),
  ].join('\n');
};

/** A list in groups, which the user searches by typing. Returns the chosen value. */
export const pickList = createPrompt<string, PickListConfig>((config, done) => {
  const { choices } = config;
  const [status, setStatus] = useState<Status>('idle');
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(
    Math.max(
      0,
      choices.findIndex(({ value }) => value === config.default),
    ),
  );
  const prefix = usePrefix({ status, theme: makeTheme() });
  const found = search(choices, typed);
  const selected = found[active];

  useKeypress((key, readline) => {
    if (isEnterKey(key)) {
      if (selected === undefined) return;
      setStatus('done');
      done(selected.value);
    } else if (isUpKey(key)) setActive(Math.max(0, active - 1));
    else if (isDownKey(key)) setActive(Math.min(found.length - 1, active + 1));
    else if (isBackspaceKey(key) || readline.line !== typed) {
      setTyped(readline.line);
      setActive(0);
    }
  });

  const title = `${prefix} ${style.message(config.message, status)}`;
  if (status === 'done') return `${title} ${style.answer(selected?.name ?? '')}`;
  const list =
    found.length === 0 ? style.help('  No matches.') : printPage(layOut(found, active, typed === ''), active);
  return [`${title} ${typed}`, `${list}\n${style.help(KEYS)}`];
});
