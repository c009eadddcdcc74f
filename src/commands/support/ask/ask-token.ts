import { TOKEN_TYPES } from '../../../access/access.js';
import type { TokenType } from '../../../access/access.js';
import { LIFESPANS } from '../../../access/lifespan.js';
import type { Lifespan } from '../../../access/lifespan.js';
import type { Ask } from '../prompts.js';

const TYPE_MEANINGS: Readonly<Record<TokenType, string>> = {
  'read-only': 'find and findOne of every type',
  'full-access': 'everything',
  custom: 'the actions you choose',
};

export const askTokenName: Ask<string> = (prompts, screen) =>
  prompts.input({ message: 'Name', validate: (text) => text.trim() !== '' || 'A name, please.' }, screen);

export const askTokenType: Ask<TokenType> = (prompts, screen) =>
  prompts.select<TokenType>({ message: 'What may it do?', choices: TOKEN_TYPES.map((value) => ({ value, name: value, description: TYPE_MEANINGS[value] })) }, screen);

export const askLifespan: Ask<Lifespan> = (prompts, screen) =>
  prompts.select<Lifespan>({ message: 'For how long?', choices: LIFESPANS.map((value) => ({ value })), default: 'unlimited' }, screen);
