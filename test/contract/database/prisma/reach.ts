import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { version } = require('@prisma/client/package.json') as { readonly version: string };

/** The message of a failed assertion: which file reaches below Prisma's API, and what it depends on. */
export const brokenReach = (file: string, dependency: string): string =>
  `src/database/prisma/${file} depends on ${dependency}, which Prisma ${version} does not fulfil`;

export const THING_SCHEMA = (provider: string): string => `generator client {
  provider = "prisma-client-js"
}

datasource db {
  provider = "${provider}"
}

model Thing {
  id     Int     @id
  name   String? @unique
  rating Float?
}
`;

export const CREATE_THINGS = 'create table "Thing" (id integer primary key, name text unique, rating float8)';
