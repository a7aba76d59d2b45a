export * from './back-off.ts';
export * from './bisect.ts';
export * from './fair-queue.ts';
export * from './time-out.ts';
