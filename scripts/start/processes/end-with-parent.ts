/**
 * Preloaded into every service that the start supervises: should the start itself be killed, its channel closes and
 * the service stops as on SIGTERM, instead of living on unseen and holding its ports.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
