import { createError } from '../errors/catalogue.js';
import type { Config } from './config.js';

export interface SecretProblem {
  /** The environment variable. */
  readonly name: 'JWT_SECRET' | 'API_TOKEN_SALT';
  readonly problem: 'missing' | 'weak';
}

/** Sixteen random bytes in base64 have 24 characters. */
const MIN_LENGTH = 24;
const MIN_DISTINCT = 8;
const PLACEHOLDER = /change.?me|to.?be.?modified|placeholder|example|your.?secret|123456789|password/i;

const isWeak = (secret: string): boolean =>
  secret.length < MIN_LENGTH || new Set(secret).size < MIN_DISTINCT || PLACEHOLDER.test(secret);

/** Returns the problems of the project's secrets. Empty if the secrets are safe for production. */
export function checkSecrets(config: Pick<Config, 'secrets'>): readonly SecretProblem[] {
  const secrets = [
    ['JWT_SECRET', config.secrets.jwtSecret],
    ['API_TOKEN_SALT', config.secrets.apiTokenSalt],
  ] as const;
  return secrets.flatMap(([name, value]): SecretProblem[] => {
    if (value === null || value === '') return [{ name, problem: 'missing' }];
    return isWeak(value) ? [{ name, problem: 'weak' }] : [];
  });
}

/** @throws `config/unsafe-secrets`, naming each secret that is missing or weak */
export function assertSecrets(config: Pick<Config, 'secrets'>): void {
  const problems = checkSecrets(config);
  if (problems.length === 0) return;
  throw createError('config/unsafe-secrets', {
    problems: problems.map(({ name, problem }) => `${name} is ${problem}`).join(' and '),
    minimum: MIN_LENGTH,
  });
}
