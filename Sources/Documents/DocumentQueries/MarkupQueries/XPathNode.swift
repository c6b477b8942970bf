internal import CLibXML2

/// A node of XPath's model: one of the document's tree, or a namespace in scope at an element.
struct XPathNode {
  /// The node; for a namespace its element.
  let pointer: xmlNodePtr
  let namespace: xmlNsPtr?
  /// The position in document order, which identifies the node.
  let order: Int

  init(_ pointer: xmlNodePtr) {
    self.pointer = pointer
    namespace = nil
    order = pointer.documentOrder << 16
  }

  /// - Parameter number: the namespace's number among those at its element, from 1.
  init(_ namespace: xmlNsPtr, at element: xmlNodePtr, number: Int) {
    pointer = element
    self.namespace = namespace
    order = element.documentOrder << 16 + min(number, 0xFFFF)
  }

  /// Indicates whether it belongs to an element without being one of its children.
  var isPart: Bool { namespace != nil || pointer.pointee.type == XML_ATTRIBUTE_NODE }

  var type: xmlElementType { namespace == nil ? pointer.pointee.type : XML_NAMESPACE_DECL }
}

extension xmlNodePtr {
  /// The number that ``numberNodes(of:)`` assigned.
  var documentOrder: Int { Int(bitPattern: pointee._private) }

  /// Indicates whether it is part of XPath's model.
  fileprivate var isModelled: Bool {
    switch pointee.type {
    case XML_ELEMENT_NODE, XML_TEXT_NODE, XML_CDATA_SECTION_NODE, XML_COMMENT_NODE, XML_PI_NODE: true
    default: false
    }
  }

  private var hasChildren: Bool {
    switch pointee.type {
    case XML_ELEMENT_NODE, XML_DOCUMENT_NODE, XML_HTML_DOCUMENT_NODE: true
    default: false
    }
  }

  var firstChild: xmlNodePtr? { hasChildren ? pointee.children : nil }

  /// The node after this one in a traversal of all nodes below another.
  func following(within root: xmlNodePtr, skippingChildren: Bool = false) -> xmlNodePtr? {
    if !skippingChildren, let child = firstChild { return child }
    var node = self
    while node != root {
      if let next = node.pointee.next { return next }
      guard let parent = node.pointee.parent else { return nil }
      node = parent
    }
    return nil
  }

  /// The last node of its subtree.
  var deepestLast: xmlNodePtr {
    var node = self
    while node.firstChild != nil, let last = node.pointee.last { node = last }
    return node
  }

  var firstAttribute: xmlNodePtr? {
    guard pointee.type == XML_ELEMENT_NODE, let attribute = pointee.properties else { return nil }
    return UnsafeMutableRawPointer(attribute).assumingMemoryBound(to: xmlNode.self)
  }
}

/// Numbers all nodes of a document in its order, so that any two are compared quickly.
func numberNodes(of document: xmlDocPtr) {
  let root = UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self)
  var count = 0
  func number(_ node: xmlNodePtr) {
    count += 1
    node.pointee._private = UnsafeMutableRawPointer(bitPattern: count)
  }
  var next: xmlNodePtr? = root
  while let node = next {
    number(node)
    var attribute = node.firstAttribute
    while let current = attribute {
      number(current)
      attribute = current.pointee.next
    }
    next = node.following(within: root)
  }
}

// MARK: axes

extension XPathNode {
  /// Calls the body with each node of an axis, in the axis's own order, until it returns false.
  func forEach<Failure: Error>(
    on axis: XPathAxis, _ body: (XPathNode) throws(Failure) -> Bool
  ) throws(Failure) {
    switch axis {
    case .`self`: _ = try body(self)
    case .parent: if let parent { _ = try body(parent) }
    case .ancestorOrSelf:
      if try body(self) { try forEach(on: .ancestor, body) }
    case .ancestor:
      var next = parent
      while let node = next {
        guard try body(node) else { return }
        next = node.parent
      }
    case .attribute:
      guard namespace == nil else { return }
      var next = pointer.firstAttribute
      while let node = next {
        guard try body(XPathNode(node)) else { return }
        next = node.pointee.next
      }
    case .namespace:
      guard namespace == nil, pointer.pointee.type == XML_ELEMENT_NODE else { return }
      for (index, declaration) in namespacesInScope.enumerated() {
        guard try body(XPathNode(declaration, at: pointer, number: index + 1)) else { return }
      }
    case .child:
      guard namespace == nil else { return }
      var next = pointer.firstChild
      while let node = next {
        if node.isModelled, try !body(XPathNode(node)) { return }
        next = node.pointee.next
      }
    case .descendantOrSelf:
      if try body(self) { try forEach(on: .descendant, body) }
    case .descendant:
      guard namespace == nil else { return }
      var next = pointer.following(within: pointer)
      while let node = next {
        if node.isModelled, try !body(XPathNode(node)) { return }
        next = node.following(within: pointer)
      }
    case .followingSibling, .precedingSibling:
      guard !isPart else { return }
      var next = axis == .followingSibling ? pointer.pointee.next : pointer.pointee.prev
      while let node = next {
        if node.isModelled, try !body(XPathNode(node)) { return }
        next = axis == .followingSibling ? node.pointee.next : node.pointee.prev
      }
    case .following:
      guard let root else { return }
      // Nodes below an attribute's element follow the attribute.
      guard let start = isPart ? element : pointer else { return }
      var next = start.following(within: root, skippingChildren: !isPart)
      while let node = next {
        if node.isModelled, try !body(XPathNode(node)) { return }
        next = node.following(within: root)
      }
    case .preceding:
      // In reverse; ancestors are left out.
      guard var node = isPart ? element : pointer else { return }
      var ancestors = node.pointee.parent
      while true {
        if let previous = node.pointee.prev {
          node = previous.deepestLast
        } else if let parent = node.pointee.parent {
          node = parent
        } else {
          return
        }
        if node == ancestors {
          ancestors = node.pointee.parent
        } else if node.isModelled, try !body(XPathNode(node)) {
          return
        }
      }
    }
  }

  var parent: XPathNode? {
    if namespace != nil { return XPathNode(pointer) }
    switch pointer.pointee.type {
    case XML_DOCUMENT_NODE, XML_HTML_DOCUMENT_NODE: return nil
    default: return pointer.pointee.parent.map { XPathNode($0) }
    }
  }

  /// The element that an attribute or namespace belongs to.
  private var element: xmlNodePtr? { namespace == nil ? pointer.pointee.parent : pointer }

  private var root: xmlNodePtr? {
    namespace == nil && pointer.pointee.doc == nil
      ? nil : UnsafeMutableRawPointer(pointer.pointee.doc)?.assumingMemoryBound(to: xmlNode.self)
  }

  /// The nearest declaration of each prefix, and that of `xml`, which no document needs.
  private var namespacesInScope: [xmlNsPtr] {
    var result: [xmlNsPtr] = []
    var seen: Set<String> = []
    var next: xmlNodePtr? = pointer
    while let node = next, node.pointee.type == XML_ELEMENT_NODE {
      var declaration = node.pointee.nsDef
      while let current = declaration {
        if seen.insert(text(current.pointee.prefix)).inserted, !text(current.pointee.href).isEmpty {
          result.append(current)
        }
        declaration = current.pointee.next
      }
      next = node.pointee.parent
    }
    if !seen.contains("xml"), let own = libxml2?.xmlSearchNs(pointer.pointee.doc, pointer, "xml") { result.append(own) }
    return result
  }
}

// MARK: names and values

extension XPathNode {
  var localName: String {
    if let namespace { return text(namespace.pointee.prefix) }
    switch pointer.pointee.type {
    case XML_ELEMENT_NODE, XML_ATTRIBUTE_NODE, XML_PI_NODE: return text(pointer.pointee.name)
    default: return ""
    }
  }

  var namespaceURI: String { own.map { text($0.pointee.href) } ?? "" }

  /// The name with its prefix.
  var name: String {
    let prefix = own.map { text($0.pointee.prefix) } ?? ""
    return prefix.isEmpty ? localName : "\(prefix):\(localName)"
  }

  /// The namespace of the name of an element or attribute.
  var own: xmlNsPtr? {
    guard namespace == nil else { return nil }
    switch pointer.pointee.type {
    case XML_ELEMENT_NODE, XML_ATTRIBUTE_NODE: return pointer.pointee.ns
    default: return nil
    }
  }

  /// Passes on the string-value piece by piece, as long as more is wanted.
  func forEachText(_ take: (UnsafePointer<xmlChar>) -> Bool) {
    if let namespace {
      if let href = namespace.pointee.href { _ = take(href) }
      return
    }
    switch pointer.pointee.type {
    case XML_TEXT_NODE, XML_CDATA_SECTION_NODE, XML_COMMENT_NODE, XML_PI_NODE:
      if let content = pointer.pointee.content { _ = take(content) }
    case XML_ATTRIBUTE_NODE:
      var next = pointer.pointee.children
      while let node = next {
        if let content = node.pointee.content, !take(content) { return }
        next = node.pointee.next
      }
    default:
      var next = pointer.following(within: pointer)
      while let node = next {
        if node.pointee.type == XML_TEXT_NODE || node.pointee.type == XML_CDATA_SECTION_NODE,
          let content = node.pointee.content, !take(content)
        {
          return
        }
        next = node.following(within: pointer)
      }
    }
  }
}
