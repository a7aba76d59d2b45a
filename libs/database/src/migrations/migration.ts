import type { QueryRunner } from 'typeorm';

export type { QueryRunner } from 'typeorm';

/** A step of a database's schema. Nothing undoes a step: the last release runs on it too, and a later step corrects it. */
export interface Migration {
  /** The class's own name by default. Its last 13 digits say in which order steps run. */
  name?: string;
  up(runner: QueryRunner): Promise<void>;
}

export type MigrationClass = new () => Migration;
