import methods from 'undici/lib/api/index.js';
import undiciErrors from 'undici/lib/core/errors.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';

// As undici's own index does. That one loads fetch, WebSocket, caches and mocks besides, and keeps 4 MB of them.
Object.assign(Dispatcher.prototype, methods);

export { Agent, Pool, undiciErrors };
