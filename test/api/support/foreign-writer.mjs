/** Runs the scripts that its parent sends, on a connection of its own, and tells when each is committed. */
const url = process.argv[2] ?? '';

const openSqlite = async () => {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(url.slice('file:'.length), { timeout: 10_000 });
  return async (sql) => void database.exec(sql);
};

const openPostgres = async () => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (sql) => client.query(sql);
};

const run = await (url.startsWith('file:') ? openSqlite() : openPostgres());
process.on('message', (sql) => {
  run(sql)
    .then(() => process.send?.(null))
    .catch((error) => process.send?.(String(error)));
});
process.once('disconnect', () => process.exit());
process.send?.(null);
