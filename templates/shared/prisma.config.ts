// For Prisma's own tools (npx prisma studio). The cms command does not read this file.
import { existsSync } from 'node:fs';
import { defineConfig } from 'prisma/config';

if (existsSync('.env')) process.loadEnvFile('.env');

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DIRECT_URL'] ?? process.env['DATABASE_URL'] ?? '{{databaseExample}}' },
});
