import { TOKEN_TYPES } from '../../access/access.js';
import type { TokenType } from '../../access/access.js';
import { LIFESPANS } from '../../access/tokens/create-token.js';
import type { Lifespan } from '../../access/tokens/create-token.js';
import type { Question } from './prompt.js';

const TYPE_DESCRIPTIONS: Readonly<Record<TokenType, string>> = {
  'read-only': 'find and findOne of every type, without drafts',
  'full-access': 'everything',
  custom: 'the actions you choose',
  preview: 'drafts of the types you choose, for a time',
};

export const promptTokenName: Question<string> = (prompts, screen) =>
  prompts.input({ message: 'Name', validate: (text) => text.trim() !== '' || 'Enter a name.' }, screen);

export const promptTokenType: Question<TokenType> = (prompts, screen) =>
  prompts.select<TokenType>(
    {
      message: 'What may it do?',
      choices: TOKEN_TYPES.map((value) => ({ value, name: value, description: TYPE_DESCRIPTIONS[value] })),
    },
    screen,
  );

export const promptLifespan: Question<Lifespan> = (prompts, screen) =>
  prompts.select<Lifespan>(
    { message: 'For how long?', choices: LIFESPANS.map((value) => ({ value })), default: 'unlimited' },
    screen,
  );

export const promptPreviewedTypes: Question<readonly string[]> = async (prompts, screen) => {
  const text = await prompts.input(
    {
      message: 'Drafts of which types, separated by commas?',
      validate: (typed) => typed.trim() !== '' || 'Enter the name of a type.',
    },
    screen,
  );
  return text.split(',').map((name) => name.trim());
};

export const promptExpiry: Question<string> = (prompts, screen) =>
  prompts.select<string>(
    { message: 'For how long?', choices: ['1h', '1d', '7d', '30d'].map((value) => ({ value })) },
    screen,
  );
