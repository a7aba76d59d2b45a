interface RouteObserver {
  addHook(name: 'onRoute', hook: (route: { url: string; method: string | string[] }) => void): unknown;
}

interface Route {
  url: string;
  pattern: RegExp;
  methods: string[];
}

const isLiteral = (url: string) => !/[:*]/.test(url);

/**
 * Remembers every route, so that an unmatched request is either an unknown path, or a known path with the wrong method. A path that a
 * route names as it is belongs to such routes alone: `/things/new` is no thing of `/things/:id`.
 */
export function trackAllowedMethods(app: RouteObserver) {
  const routes: Route[] = [];
  const literal = new Set<string>();
  app.addHook('onRoute', ({ url, method }) => {
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)))
      .join('/');
    if (isLiteral(url)) literal.add(url);
    routes.push({ url, pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  });
  return {
    allowedMethods(path: string): string[] {
      const ofPath = routes.filter(({ url, pattern }) =>
        literal.has(path) ? url === path : pattern.test(path),
      );
      return [...new Set(ofPath.flatMap(({ methods }) => methods))];
    },
    /** Whether a route with parameters has been found for a path that others name as it is. */
    isTaken: (path: string, routeUrl: string | undefined): boolean =>
      routeUrl !== undefined && routeUrl !== path && literal.has(path) && routeUrl.includes(':'),
  };
}
