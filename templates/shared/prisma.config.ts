// For Prisma's tools, such as: npx prisma@7.10.0 studio
// They are not installed with the project, since they take 150 MB. The cms command does not read this file.
import { existsSync } from 'node:fs';

if (existsSync('.env')) process.loadEnvFile('.env');

export default {
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DIRECT_URL'] ?? process.env['DATABASE_URL'] ?? '{{databaseExample}}' },
};
