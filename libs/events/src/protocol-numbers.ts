/** Numbers of Kafka's protocol. kafkajs has them as enumerations, which Node doesn't find among its exports. */
export const ANY = 1;
export const RESOURCE = { topic: 2, group: 3 } as const;
export const OPERATION = { read: 3, write: 4 } as const;
export const PERMISSION = { allow: 3 } as const;
export const PATTERN = { literal: 3 } as const;
/** Where a setting comes from: the topic's own one. */
export const TOPIC_CONFIG = 1;
