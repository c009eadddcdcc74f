/** Strapi's names of databases. */
export const CLIENTS = { sqlite: 'sqlite', postgresql: 'postgres' } as const;

/** Strapi's names of the drivers below Knex. */
export const DRIVERS = { sqlite: 'better-sqlite3', postgresql: 'pg' } as const;
