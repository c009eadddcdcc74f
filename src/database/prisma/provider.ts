/** The `provider` of a Prisma datasource. */
export type PrismaProvider = 'sqlite' | 'postgresql';
