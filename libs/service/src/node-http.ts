/** An import of node:http would load all that it exports, fetch and WebSocket among it: 5 MB that no service uses. */
export const { STATUS_CODES } = process.getBuiltinModule('node:http');
