// A thread that writes a database nobody else has open.
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const { file, settings, scripts } = workerData;
const database = new Database(file);
for (const setting of settings) database.pragma(setting);
database.exec('BEGIN');
for (const script of scripts) database.exec(script);
database.exec('COMMIT');
database.close();
