export type DialectName = 'sqlite' | 'postgresql';
