import type { Region } from '../region/region.rules.ts';

/** How a series looks; people who see no colours distinguish them by hatching, outlines and dashes. */
export type Tone = 'main' | 'plain' | 'bad';

export interface Series {
  name: string;
  tone: Tone;
  /** One for each column; null where there is none. */
  values: readonly (number | null)[];
}

/** What one column of a plot stands for: a day, say. */
export interface Column {
  /** In full, for the read-out and the table. */
  name: string;
  /** Under the axis; columns without it share the nearest one's. */
  label?: string;
  /** The one that stands out: today. */
  isMarked?: boolean;
}

export interface Chart {
  region: Region;
  /** What it shows, for those who don't see it. */
  name: string;
  /** What its columns are. */
  columnsAre: string;
  columns: readonly Column[];
  series: readonly Series[];
  /** A value as people read it. */
  format: (value: number) => string;
}

export const HEIGHT = 168;
/** Above it lies half of the uppermost tick's text, under it the labels of the columns. */
export const TOP = 10;
export const BOTTOM = HEIGHT - 26;

/** Geometry to a hundredth: as exact as any screen, and short. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** What all columns stand for together. */
export const sumOf = <Item>(items: readonly Item[], read: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);
