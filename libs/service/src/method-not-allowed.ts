interface RouteObserver {
  addHook(name: 'onRoute', hook: (route: { url: string; method: string | string[] }) => void): unknown;
}

/** Remembers every route, so that an unmatched request is either an unknown path, or a known path with the wrong method. */
export function trackAllowedMethods(app: RouteObserver): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)))
      .join('/');
    routes.push({ pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  });
  return (path) => [
    ...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)),
  ];
}
