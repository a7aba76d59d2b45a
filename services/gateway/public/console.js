// Everything that Scalar would ask of others is off; the page's policy refuses it as well. A key that is typed stays in memory.
// @ts-expect-error: a global of Scalar's script
globalThis.Scalar.createApiReference('#console', {
  url: '/openapi.json',
  proxyUrl: '',
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  theme: 'none',
});
