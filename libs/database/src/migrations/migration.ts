import type { QueryRunner } from 'typeorm';

export type { QueryRunner } from 'typeorm';

/** Which migrations have run, one row each; the migrate job and every process that starts look there. */
export const MIGRATIONS_TABLE = 'migrations';

/** A step of a database's schema. Nothing undoes a step: the last release runs on it too, and a later step corrects it. */
export interface Migration {
  /** The class's own name by default. Its last 13 digits say in which order steps run. */
  name?: string;
  /** False where the step can't be part of a transaction; it must stand being cut short, then. */
  transaction?: false | undefined;
  /** Of a baseline: the names of the migrations whose work it does, its own last. */
  replaces?: readonly string[];
  up(runner: QueryRunner): Promise<void>;
}

export type MigrationClass = new () => Migration;
